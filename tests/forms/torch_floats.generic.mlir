"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "torch.constant.float"() <{value = 3.1415926535897931 : f64}> : () -> !torch.float
    %1 = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
    %2 = "torch.constant.float"() <{value = 9.9999999999999995E-8 : f64}> : () -> !torch.float
    %3 = "torch.constant.float"() <{value = 0x419D6F3454000000 : f64}> : () -> !torch.float
    %4 = "torch.constant.float"() <{value = 1.000000e+300 : f64}> : () -> !torch.float
    %5 = "torch.constant.float"() <{value = 4.940660e-324 : f64}> : () -> !torch.float
    %6 = "torch.constant.float"() <{value = 2.500000e+00 : f64}> : () -> !torch.float
    %7 = "torch.constant.float"() <{value = -0.33333333333333331 : f64}> : () -> !torch.float
    %8 = "torch.constant.float"() <{value = 1234567.5 : f64}> : () -> !torch.float
    %9 = "torch.constant.float"() <{value = 0.99999998999999994 : f64}> : () -> !torch.float
    %10 = "torch.constant.float"() <{value = 1.17549435E-38 : f64}> : () -> !torch.float
    %11 = "torch.constant.float"() <{value = 999999.5 : f64}> : () -> !torch.float
    %12 = "torch.constant.float"() <{value = 0.70710678118654757 : f64}> : () -> !torch.float
    %13 = "torch.constant.float"() <{value = 0x41E0000000000000 : f64}> : () -> !torch.float
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

