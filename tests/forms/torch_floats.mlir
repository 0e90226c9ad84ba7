module {
  func.func @f() {
    %float3.141590e00 = torch.constant.float 3.1415926535897931
    %float1.000000e-01 = torch.constant.float 1.000000e-01
    %float9.999990e-08 = torch.constant.float 9.9999999999999995E-8
    %float1.234570e08 = torch.constant.float 0x419D6F3454000000
    %float1.000000e300 = torch.constant.float 1.000000e+300
    %float4.940660e-324 = torch.constant.float 4.940660e-324
    %float2.500000e00 = torch.constant.float 2.500000e+00
    %float-3.333330e-01 = torch.constant.float -0.33333333333333331
    %float1.234570e06 = torch.constant.float 1234567.5
    %float9.999990e-01 = torch.constant.float 0.99999998999999994
    %float1.175490e-38 = torch.constant.float 1.17549435E-38
    %float9.999990e05 = torch.constant.float 999999.5
    %float7.071070e-01 = torch.constant.float 0.70710678118654757
    %float2.147480e09 = torch.constant.float 0x41E0000000000000
    return
  }
}

