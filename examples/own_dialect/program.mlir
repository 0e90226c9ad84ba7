func.func @move(%from: !toy.queue<i32>, %to: !toy.queue<i32, 4>, %hint: i32) {
  %0 = toy.pop %from within 2s : !toy.queue<i32> -> i32
  %1 = toy.pop %from within 10ms : !toy.queue<i32> -> i32
  toy.push %to[%0, %1] hint %hint tuned <mode = fast, note = "hot"> : !toy.queue<i32, 4>, i32, i32
  toy.push %to[] : !toy.queue<i32, 4>
  return
}
func.func private @list(!toy.record<"list", (i32, !toy.record<"list">)>)
