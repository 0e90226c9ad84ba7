module {
  test.with_nice_properties foo is 3
  test.with_nice_properties "foo bar" is -3 {a}
  test.with_nice_properties "a\22b" is 16
}

