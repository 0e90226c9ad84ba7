#loc3 = loc("a.mlir":3:6)
#loc7 = loc("a.mlir":8:6)
#loc11 = loc("a.mlir":13:6)
#loc15 = loc("a.mlir":18:6)
#loc19 = loc("a.mlir":23:6)
#loc23 = loc("a.mlir":28:6)
#loc27 = loc("a.mlir":33:6)
#loc31 = loc("a.mlir":38:6)
#loc35 = loc("a.mlir":43:6)
#loc39 = loc("a.mlir":48:6)
#loc43 = loc("a.mlir":53:6)
#loc47 = loc("a.mlir":58:6)
#loc51 = loc("a.mlir":63:6)
#loc55 = loc("a.mlir":68:6)
#loc59 = loc("a.mlir":73:6)
#loc63 = loc("a.mlir":78:6)
#loc67 = loc("a.mlir":83:6)
#loc71 = loc("a.mlir":88:6)
#loc75 = loc("a.mlir":93:6)
#loc79 = loc("a.mlir":98:6)
#loc83 = loc("a.mlir":103:6)
#loc87 = loc("a.mlir":108:6)
#loc91 = loc("a.mlir":113:6)
#loc95 = loc("a.mlir":118:6)
#loc99 = loc("a.mlir":123:6)
#loc103 = loc("a.mlir":128:6)
#loc107 = loc("a.mlir":133:6)
#loc111 = loc("a.mlir":138:6)
#loc115 = loc("a.mlir":143:6)
#loc119 = loc("a.mlir":148:6)
#loc123 = loc("a.mlir":153:6)
#loc127 = loc("a.mlir":158:6)
#loc131 = loc("a.mlir":163:6)
#loc135 = loc("a.mlir":168:6)
#loc139 = loc("a.mlir":173:6)
#loc143 = loc("a.mlir":178:6)
#loc147 = loc("a.mlir":183:6)
#loc151 = loc("a.mlir":188:6)
#loc155 = loc("a.mlir":193:6)
#loc159 = loc("a.mlir":198:6)
#loc163 = loc("a.mlir":203:6)
#loc167 = loc("a.mlir":208:6)
#loc171 = loc("a.mlir":213:6)
#loc175 = loc("a.mlir":218:6)
#loc179 = loc("a.mlir":223:6)
#loc183 = loc("a.mlir":228:6)
#loc187 = loc("a.mlir":233:6)
#loc191 = loc("a.mlir":238:6)
#loc195 = loc("a.mlir":243:6)
#loc199 = loc("a.mlir":248:6)
#loc203 = loc("a.mlir":253:6)
#loc207 = loc("a.mlir":258:6)
#loc211 = loc("a.mlir":263:6)
#loc215 = loc("a.mlir":268:6)
#loc219 = loc("a.mlir":273:6)
#loc223 = loc("a.mlir":278:6)
#loc227 = loc("a.mlir":283:6)
#loc231 = loc("a.mlir":288:6)
#loc235 = loc("a.mlir":293:6)
#loc239 = loc("a.mlir":298:6)
#loc243 = loc("a.mlir":303:6)
#loc247 = loc("a.mlir":308:6)
#loc251 = loc("a.mlir":313:6)
#loc255 = loc("a.mlir":318:6)
#loc259 = loc("a.mlir":323:6)
#loc263 = loc("a.mlir":328:6)
#loc267 = loc("a.mlir":333:6)
#loc271 = loc("a.mlir":338:6)
#loc275 = loc("a.mlir":343:6)
#loc279 = loc("a.mlir":348:6)
#loc283 = loc("a.mlir":353:6)
#loc287 = loc("a.mlir":358:6)
#loc291 = loc("a.mlir":363:6)
#loc295 = loc("a.mlir":368:6)
#loc299 = loc("a.mlir":373:6)
#loc303 = loc("a.mlir":378:6)
#loc307 = loc("a.mlir":383:6)
#loc311 = loc("a.mlir":388:6)
#loc315 = loc("a.mlir":393:6)
#loc319 = loc("a.mlir":398:6)
#loc323 = loc("a.mlir":403:6)
#loc327 = loc("a.mlir":408:6)
#loc331 = loc("a.mlir":413:6)
#loc335 = loc("a.mlir":418:6)
#loc339 = loc("a.mlir":423:6)
#loc343 = loc("a.mlir":428:6)
#loc347 = loc("a.mlir":433:6)
#loc351 = loc("a.mlir":438:6)
#loc355 = loc("a.mlir":443:6)
#loc359 = loc("a.mlir":448:6)
#loc363 = loc("a.mlir":453:6)
#loc367 = loc("a.mlir":458:6)
#loc371 = loc("a.mlir":463:6)
#loc375 = loc("a.mlir":468:6)
#loc379 = loc("a.mlir":473:6)
#loc383 = loc("a.mlir":478:6)
#loc387 = loc("a.mlir":483:6)
#loc391 = loc("a.mlir":488:6)
#loc395 = loc("a.mlir":493:6)
#loc399 = loc("a.mlir":498:6)
#loc403 = loc("a.mlir":503:6)
#loc407 = loc("a.mlir":508:6)
#loc411 = loc("a.mlir":513:6)
#loc415 = loc("a.mlir":518:6)
#loc419 = loc("a.mlir":523:6)
#loc423 = loc("a.mlir":528:6)
#loc427 = loc("a.mlir":533:6)
#loc431 = loc("a.mlir":538:6)
#loc435 = loc("a.mlir":543:6)
#loc439 = loc("a.mlir":548:6)
#loc443 = loc("a.mlir":553:6)
#loc447 = loc("a.mlir":558:6)
#loc451 = loc("a.mlir":563:6)
#loc455 = loc("a.mlir":568:6)
#loc459 = loc("a.mlir":573:6)
#loc463 = loc("a.mlir":578:6)
#loc467 = loc("a.mlir":583:6)
#loc471 = loc("a.mlir":588:6)
#loc475 = loc("a.mlir":593:6)
#loc479 = loc("a.mlir":598:6)
#loc485 = loc("a.mlir":606:6)
#loc489 = loc("a.mlir":611:6)
#loc493 = loc("a.mlir":616:6)
#loc497 = loc("a.mlir":621:6)
#loc501 = loc("a.mlir":626:6)
#loc505 = loc("a.mlir":631:6)
#loc509 = loc("a.mlir":636:6)
#loc513 = loc("a.mlir":641:6)
#loc517 = loc("a.mlir":646:6)
#loc521 = loc("a.mlir":651:6)
#loc525 = loc("a.mlir":656:6)
#loc529 = loc("a.mlir":661:6)
#loc533 = loc("a.mlir":666:6)
#loc537 = loc("a.mlir":671:6)
#loc541 = loc("a.mlir":676:6)
#loc545 = loc("a.mlir":681:6)
#loc549 = loc("a.mlir":686:6)
#loc553 = loc("a.mlir":691:6)
#loc557 = loc("a.mlir":696:6)
#loc561 = loc("a.mlir":701:6)
#loc565 = loc("a.mlir":706:6)
#loc569 = loc("a.mlir":711:6)
#loc573 = loc("a.mlir":716:6)
#loc577 = loc("a.mlir":721:6)
#loc581 = loc("a.mlir":726:6)
#loc585 = loc("a.mlir":731:6)
#loc589 = loc("a.mlir":736:6)
#loc593 = loc("a.mlir":741:6)
#loc597 = loc("a.mlir":746:6)
#loc601 = loc("a.mlir":751:6)
#loc605 = loc("a.mlir":756:6)
#loc609 = loc("a.mlir":761:6)
#loc613 = loc("a.mlir":766:6)
#loc617 = loc("a.mlir":771:6)
#loc621 = loc("a.mlir":776:6)
#loc625 = loc("a.mlir":781:6)
#loc629 = loc("a.mlir":786:6)
#loc633 = loc("a.mlir":791:6)
#loc637 = loc("a.mlir":796:6)
#loc641 = loc("a.mlir":801:6)
#loc645 = loc("a.mlir":806:6)
#loc649 = loc("a.mlir":811:6)
#loc653 = loc("a.mlir":816:6)
#loc657 = loc("a.mlir":821:6)
#loc661 = loc("a.mlir":826:6)
#loc665 = loc("a.mlir":831:6)
#loc669 = loc("a.mlir":836:6)
#loc673 = loc("a.mlir":841:6)
#loc677 = loc("a.mlir":846:6)
#loc681 = loc("a.mlir":851:6)
#loc685 = loc("a.mlir":856:6)
#loc689 = loc("a.mlir":861:6)
#loc693 = loc("a.mlir":866:6)
#loc697 = loc("a.mlir":871:6)
#loc701 = loc("a.mlir":876:6)
#loc705 = loc("a.mlir":881:6)
#loc709 = loc("a.mlir":886:6)
#loc713 = loc("a.mlir":891:6)
#loc717 = loc("a.mlir":896:6)
#loc721 = loc("a.mlir":901:6)
#loc725 = loc("a.mlir":906:6)
#loc729 = loc("a.mlir":911:6)
#loc733 = loc("a.mlir":916:6)
#loc737 = loc("a.mlir":921:6)
#loc741 = loc("a.mlir":926:6)
#loc745 = loc("a.mlir":931:6)
#loc749 = loc("a.mlir":936:6)
#loc753 = loc("a.mlir":941:6)
#loc757 = loc("a.mlir":946:6)
#loc761 = loc("a.mlir":951:6)
#loc765 = loc("a.mlir":956:6)
#loc769 = loc("a.mlir":961:6)
#loc773 = loc("a.mlir":966:6)
#loc777 = loc("a.mlir":971:6)
#loc781 = loc("a.mlir":976:6)
#loc785 = loc("a.mlir":981:6)
#loc789 = loc("a.mlir":986:6)
#loc793 = loc("a.mlir":991:6)
#loc797 = loc("a.mlir":996:6)
#loc801 = loc("a.mlir":1001:6)
#loc805 = loc("a.mlir":1006:6)
#loc809 = loc("a.mlir":1011:6)
#loc813 = loc("a.mlir":1016:6)
#loc817 = loc("a.mlir":1021:6)
#loc821 = loc("a.mlir":1026:6)
#loc825 = loc("a.mlir":1031:6)
#loc829 = loc("a.mlir":1036:6)
#loc833 = loc("a.mlir":1041:6)
#loc837 = loc("a.mlir":1046:6)
#loc841 = loc("a.mlir":1051:6)
#loc845 = loc("a.mlir":1056:6)
#loc849 = loc("a.mlir":1061:6)
#loc853 = loc("a.mlir":1066:6)
#loc857 = loc("a.mlir":1071:6)
#loc861 = loc("a.mlir":1076:6)
#loc865 = loc("a.mlir":1081:6)
#loc869 = loc("a.mlir":1086:6)
#loc873 = loc("a.mlir":1091:6)
#loc877 = loc("a.mlir":1096:6)
#loc881 = loc("a.mlir":1101:6)
#loc885 = loc("a.mlir":1106:6)
#loc889 = loc("a.mlir":1111:6)
#loc893 = loc("a.mlir":1116:6)
#loc897 = loc("a.mlir":1121:6)
#loc901 = loc("a.mlir":1126:6)
#loc905 = loc("a.mlir":1131:6)
#loc909 = loc("a.mlir":1136:6)
#loc913 = loc("a.mlir":1141:6)
#loc917 = loc("a.mlir":1146:6)
#loc921 = loc("a.mlir":1151:6)
#loc925 = loc("a.mlir":1156:6)
#loc929 = loc("a.mlir":1161:6)
#loc933 = loc("a.mlir":1166:6)
#loc937 = loc("a.mlir":1171:6)
#loc941 = loc("a.mlir":1176:6)
#loc945 = loc("a.mlir":1181:6)
#loc949 = loc("a.mlir":1186:6)
#loc953 = loc("a.mlir":1191:6)
#loc957 = loc("a.mlir":1196:6)
#loc961 = loc("a.mlir":1201:6)
#loc967 = loc("a.mlir":1209:6)
#loc971 = loc("a.mlir":1214:6)
#loc975 = loc("a.mlir":1219:6)
#loc979 = loc("a.mlir":1224:6)
#loc983 = loc("a.mlir":1229:6)
#loc987 = loc("a.mlir":1234:6)
#loc991 = loc("a.mlir":1239:6)
#loc995 = loc("a.mlir":1244:6)
#loc999 = loc("a.mlir":1249:6)
#loc1003 = loc("a.mlir":1254:6)
#loc1007 = loc("a.mlir":1259:6)
#loc1011 = loc("a.mlir":1264:6)
#loc1015 = loc("a.mlir":1269:6)
#loc1019 = loc("a.mlir":1274:6)
#loc1023 = loc("a.mlir":1279:6)
#loc1027 = loc("a.mlir":1284:6)
#loc1031 = loc("a.mlir":1289:6)
#loc1035 = loc("a.mlir":1294:6)
#loc1039 = loc("a.mlir":1299:6)
#loc1043 = loc("a.mlir":1304:6)
#loc1047 = loc("a.mlir":1309:6)
#loc1051 = loc("a.mlir":1314:6)
#loc1055 = loc("a.mlir":1319:6)
#loc1059 = loc("a.mlir":1324:6)
#loc1063 = loc("a.mlir":1329:6)
#loc1067 = loc("a.mlir":1334:6)
#loc1071 = loc("a.mlir":1339:6)
#loc1075 = loc("a.mlir":1344:6)
#loc1079 = loc("a.mlir":1349:6)
#loc1083 = loc("a.mlir":1354:6)
#loc1087 = loc("a.mlir":1359:6)
#loc1091 = loc("a.mlir":1364:6)
#loc1095 = loc("a.mlir":1369:6)
#loc1099 = loc("a.mlir":1374:6)
#loc1103 = loc("a.mlir":1379:6)
#loc1107 = loc("a.mlir":1384:6)
#loc1111 = loc("a.mlir":1389:6)
#loc1115 = loc("a.mlir":1394:6)
#loc1119 = loc("a.mlir":1399:6)
#loc1123 = loc("a.mlir":1404:6)
#loc1127 = loc("a.mlir":1409:6)
#loc1131 = loc("a.mlir":1414:6)
#loc1135 = loc("a.mlir":1419:6)
#loc1139 = loc("a.mlir":1424:6)
#loc1143 = loc("a.mlir":1429:6)
#loc1147 = loc("a.mlir":1434:6)
#loc1151 = loc("a.mlir":1439:6)
#loc1155 = loc("a.mlir":1444:6)
#loc1159 = loc("a.mlir":1449:6)
#loc1163 = loc("a.mlir":1454:6)
#loc1167 = loc("a.mlir":1459:6)
#loc1171 = loc("a.mlir":1464:6)
#loc1175 = loc("a.mlir":1469:6)
#loc1179 = loc("a.mlir":1474:6)
#loc1183 = loc("a.mlir":1479:6)
#loc1187 = loc("a.mlir":1484:6)
#loc1191 = loc("a.mlir":1489:6)
#loc1195 = loc("a.mlir":1494:6)
#loc1199 = loc("a.mlir":1499:6)
#loc1203 = loc("a.mlir":1504:6)
#loc1207 = loc("a.mlir":1509:6)
#loc1211 = loc("a.mlir":1514:6)
#loc1215 = loc("a.mlir":1519:6)
#loc1219 = loc("a.mlir":1524:6)
#loc1223 = loc("a.mlir":1529:6)
#loc1227 = loc("a.mlir":1534:6)
#loc1231 = loc("a.mlir":1539:6)
#loc1235 = loc("a.mlir":1544:6)
#loc1239 = loc("a.mlir":1549:6)
#loc1243 = loc("a.mlir":1554:6)
#loc1247 = loc("a.mlir":1559:6)
#loc1251 = loc("a.mlir":1564:6)
#loc1255 = loc("a.mlir":1569:6)
#loc1259 = loc("a.mlir":1574:6)
#loc1263 = loc("a.mlir":1579:6)
#loc1267 = loc("a.mlir":1584:6)
#loc1271 = loc("a.mlir":1589:6)
#loc1275 = loc("a.mlir":1594:6)
#loc1279 = loc("a.mlir":1599:6)
#loc1283 = loc("a.mlir":1604:6)
#loc1287 = loc("a.mlir":1609:6)
#loc1291 = loc("a.mlir":1614:6)
#loc1295 = loc("a.mlir":1619:6)
#loc1299 = loc("a.mlir":1624:6)
#loc1303 = loc("a.mlir":1629:6)
#loc1307 = loc("a.mlir":1634:6)
#loc1311 = loc("a.mlir":1639:6)
#loc1315 = loc("a.mlir":1644:6)
#loc1319 = loc("a.mlir":1649:6)
#loc1323 = loc("a.mlir":1654:6)
#loc1327 = loc("a.mlir":1659:6)
#loc1331 = loc("a.mlir":1664:6)
#loc1335 = loc("a.mlir":1669:6)
#loc1339 = loc("a.mlir":1674:6)
#loc1343 = loc("a.mlir":1679:6)
#loc1347 = loc("a.mlir":1684:6)
#loc1351 = loc("a.mlir":1689:6)
#loc1355 = loc("a.mlir":1694:6)
#loc1359 = loc("a.mlir":1699:6)
#loc1363 = loc("a.mlir":1704:6)
#loc1367 = loc("a.mlir":1709:6)
#loc1371 = loc("a.mlir":1714:6)
#loc1375 = loc("a.mlir":1719:6)
#loc1379 = loc("a.mlir":1724:6)
#loc1383 = loc("a.mlir":1729:6)
#loc1387 = loc("a.mlir":1734:6)
#loc1391 = loc("a.mlir":1739:6)
#loc1395 = loc("a.mlir":1744:6)
#loc1399 = loc("a.mlir":1749:6)
#loc1403 = loc("a.mlir":1754:6)
#loc1407 = loc("a.mlir":1759:6)
#loc1411 = loc("a.mlir":1764:6)
#loc1415 = loc("a.mlir":1769:6)
#loc1419 = loc("a.mlir":1774:6)
#loc1423 = loc("a.mlir":1779:6)
#loc1427 = loc("a.mlir":1784:6)
#loc1431 = loc("a.mlir":1789:6)
#loc1435 = loc("a.mlir":1794:6)
#loc1439 = loc("a.mlir":1799:6)
#loc1443 = loc("a.mlir":1804:6)
"builtin.module"() ({
  "t.module"() ({
    "t.func"() ({
    ^bb0(%arg359: i32 loc("a.mlir":3:6)):
      %359 = "t.add"(%arg359, %arg359) : (i32, i32) -> i32 loc(#loc4)
      "t.call"(%359) {callee = @f1} : (i32) -> () loc(#loc5)
    }) {sym_name = "f0"} : () -> () loc(#loc2)
    "t.func"() ({
    ^bb0(%arg358: i32 loc("a.mlir":8:6)):
      %358 = "t.add"(%arg358, %arg358) : (i32, i32) -> i32 loc(#loc8)
      "t.call"(%358) {callee = @f2} : (i32) -> () loc(#loc9)
    }) {sym_name = "f1"} : () -> () loc(#loc6)
    "t.func"() ({
    ^bb0(%arg357: i32 loc("a.mlir":13:6)):
      %357 = "t.add"(%arg357, %arg357) : (i32, i32) -> i32 loc(#loc12)
      "t.call"(%357) {callee = @f3} : (i32) -> () loc(#loc13)
    }) {sym_name = "f2"} : () -> () loc(#loc10)
    "t.func"() ({
    ^bb0(%arg356: i32 loc("a.mlir":18:6)):
      %356 = "t.add"(%arg356, %arg356) : (i32, i32) -> i32 loc(#loc16)
      "t.call"(%356) {callee = @f4} : (i32) -> () loc(#loc17)
    }) {sym_name = "f3"} : () -> () loc(#loc14)
    "t.func"() ({
    ^bb0(%arg355: i32 loc("a.mlir":23:6)):
      %355 = "t.add"(%arg355, %arg355) : (i32, i32) -> i32 loc(#loc20)
      "t.call"(%355) {callee = @f5} : (i32) -> () loc(#loc21)
    }) {sym_name = "f4"} : () -> () loc(#loc18)
    "t.func"() ({
    ^bb0(%arg354: i32 loc("a.mlir":28:6)):
      %354 = "t.add"(%arg354, %arg354) : (i32, i32) -> i32 loc(#loc24)
      "t.call"(%354) {callee = @f6} : (i32) -> () loc(#loc25)
    }) {sym_name = "f5"} : () -> () loc(#loc22)
    "t.func"() ({
    ^bb0(%arg353: i32 loc("a.mlir":33:6)):
      %353 = "t.add"(%arg353, %arg353) : (i32, i32) -> i32 loc(#loc28)
      "t.call"(%353) {callee = @f7} : (i32) -> () loc(#loc29)
    }) {sym_name = "f6"} : () -> () loc(#loc26)
    "t.func"() ({
    ^bb0(%arg352: i32 loc("a.mlir":38:6)):
      %352 = "t.add"(%arg352, %arg352) : (i32, i32) -> i32 loc(#loc32)
      "t.call"(%352) {callee = @f8} : (i32) -> () loc(#loc33)
    }) {sym_name = "f7"} : () -> () loc(#loc30)
    "t.func"() ({
    ^bb0(%arg351: i32 loc("a.mlir":43:6)):
      %351 = "t.add"(%arg351, %arg351) : (i32, i32) -> i32 loc(#loc36)
      "t.call"(%351) {callee = @f9} : (i32) -> () loc(#loc37)
    }) {sym_name = "f8"} : () -> () loc(#loc34)
    "t.func"() ({
    ^bb0(%arg350: i32 loc("a.mlir":48:6)):
      %350 = "t.add"(%arg350, %arg350) : (i32, i32) -> i32 loc(#loc40)
      "t.call"(%350) {callee = @f10} : (i32) -> () loc(#loc41)
    }) {sym_name = "f9"} : () -> () loc(#loc38)
    "t.func"() ({
    ^bb0(%arg349: i32 loc("a.mlir":53:6)):
      %349 = "t.add"(%arg349, %arg349) : (i32, i32) -> i32 loc(#loc44)
      "t.call"(%349) {callee = @f11} : (i32) -> () loc(#loc45)
    }) {sym_name = "f10"} : () -> () loc(#loc42)
    "t.func"() ({
    ^bb0(%arg348: i32 loc("a.mlir":58:6)):
      %348 = "t.add"(%arg348, %arg348) : (i32, i32) -> i32 loc(#loc48)
      "t.call"(%348) {callee = @f12} : (i32) -> () loc(#loc49)
    }) {sym_name = "f11"} : () -> () loc(#loc46)
    "t.func"() ({
    ^bb0(%arg347: i32 loc("a.mlir":63:6)):
      %347 = "t.add"(%arg347, %arg347) : (i32, i32) -> i32 loc(#loc52)
      "t.call"(%347) {callee = @f13} : (i32) -> () loc(#loc53)
    }) {sym_name = "f12"} : () -> () loc(#loc50)
    "t.func"() ({
    ^bb0(%arg346: i32 loc("a.mlir":68:6)):
      %346 = "t.add"(%arg346, %arg346) : (i32, i32) -> i32 loc(#loc56)
      "t.call"(%346) {callee = @f14} : (i32) -> () loc(#loc57)
    }) {sym_name = "f13"} : () -> () loc(#loc54)
    "t.func"() ({
    ^bb0(%arg345: i32 loc("a.mlir":73:6)):
      %345 = "t.add"(%arg345, %arg345) : (i32, i32) -> i32 loc(#loc60)
      "t.call"(%345) {callee = @f15} : (i32) -> () loc(#loc61)
    }) {sym_name = "f14"} : () -> () loc(#loc58)
    "t.func"() ({
    ^bb0(%arg344: i32 loc("a.mlir":78:6)):
      %344 = "t.add"(%arg344, %arg344) : (i32, i32) -> i32 loc(#loc64)
      "t.call"(%344) {callee = @f16} : (i32) -> () loc(#loc65)
    }) {sym_name = "f15"} : () -> () loc(#loc62)
    "t.func"() ({
    ^bb0(%arg343: i32 loc("a.mlir":83:6)):
      %343 = "t.add"(%arg343, %arg343) : (i32, i32) -> i32 loc(#loc68)
      "t.call"(%343) {callee = @f17} : (i32) -> () loc(#loc69)
    }) {sym_name = "f16"} : () -> () loc(#loc66)
    "t.func"() ({
    ^bb0(%arg342: i32 loc("a.mlir":88:6)):
      %342 = "t.add"(%arg342, %arg342) : (i32, i32) -> i32 loc(#loc72)
      "t.call"(%342) {callee = @f18} : (i32) -> () loc(#loc73)
    }) {sym_name = "f17"} : () -> () loc(#loc70)
    "t.func"() ({
    ^bb0(%arg341: i32 loc("a.mlir":93:6)):
      %341 = "t.add"(%arg341, %arg341) : (i32, i32) -> i32 loc(#loc76)
      "t.call"(%341) {callee = @f19} : (i32) -> () loc(#loc77)
    }) {sym_name = "f18"} : () -> () loc(#loc74)
    "t.func"() ({
    ^bb0(%arg340: i32 loc("a.mlir":98:6)):
      %340 = "t.add"(%arg340, %arg340) : (i32, i32) -> i32 loc(#loc80)
      "t.call"(%340) {callee = @f20} : (i32) -> () loc(#loc81)
    }) {sym_name = "f19"} : () -> () loc(#loc78)
    "t.func"() ({
    ^bb0(%arg339: i32 loc("a.mlir":103:6)):
      %339 = "t.add"(%arg339, %arg339) : (i32, i32) -> i32 loc(#loc84)
      "t.call"(%339) {callee = @f21} : (i32) -> () loc(#loc85)
    }) {sym_name = "f20"} : () -> () loc(#loc82)
    "t.func"() ({
    ^bb0(%arg338: i32 loc("a.mlir":108:6)):
      %338 = "t.add"(%arg338, %arg338) : (i32, i32) -> i32 loc(#loc88)
      "t.call"(%338) {callee = @f22} : (i32) -> () loc(#loc89)
    }) {sym_name = "f21"} : () -> () loc(#loc86)
    "t.func"() ({
    ^bb0(%arg337: i32 loc("a.mlir":113:6)):
      %337 = "t.add"(%arg337, %arg337) : (i32, i32) -> i32 loc(#loc92)
      "t.call"(%337) {callee = @f23} : (i32) -> () loc(#loc93)
    }) {sym_name = "f22"} : () -> () loc(#loc90)
    "t.func"() ({
    ^bb0(%arg336: i32 loc("a.mlir":118:6)):
      %336 = "t.add"(%arg336, %arg336) : (i32, i32) -> i32 loc(#loc96)
      "t.call"(%336) {callee = @f24} : (i32) -> () loc(#loc97)
    }) {sym_name = "f23"} : () -> () loc(#loc94)
    "t.func"() ({
    ^bb0(%arg335: i32 loc("a.mlir":123:6)):
      %335 = "t.add"(%arg335, %arg335) : (i32, i32) -> i32 loc(#loc100)
      "t.call"(%335) {callee = @f25} : (i32) -> () loc(#loc101)
    }) {sym_name = "f24"} : () -> () loc(#loc98)
    "t.func"() ({
    ^bb0(%arg334: i32 loc("a.mlir":128:6)):
      %334 = "t.add"(%arg334, %arg334) : (i32, i32) -> i32 loc(#loc104)
      "t.call"(%334) {callee = @f26} : (i32) -> () loc(#loc105)
    }) {sym_name = "f25"} : () -> () loc(#loc102)
    "t.func"() ({
    ^bb0(%arg333: i32 loc("a.mlir":133:6)):
      %333 = "t.add"(%arg333, %arg333) : (i32, i32) -> i32 loc(#loc108)
      "t.call"(%333) {callee = @f27} : (i32) -> () loc(#loc109)
    }) {sym_name = "f26"} : () -> () loc(#loc106)
    "t.func"() ({
    ^bb0(%arg332: i32 loc("a.mlir":138:6)):
      %332 = "t.add"(%arg332, %arg332) : (i32, i32) -> i32 loc(#loc112)
      "t.call"(%332) {callee = @f28} : (i32) -> () loc(#loc113)
    }) {sym_name = "f27"} : () -> () loc(#loc110)
    "t.func"() ({
    ^bb0(%arg331: i32 loc("a.mlir":143:6)):
      %331 = "t.add"(%arg331, %arg331) : (i32, i32) -> i32 loc(#loc116)
      "t.call"(%331) {callee = @f29} : (i32) -> () loc(#loc117)
    }) {sym_name = "f28"} : () -> () loc(#loc114)
    "t.func"() ({
    ^bb0(%arg330: i32 loc("a.mlir":148:6)):
      %330 = "t.add"(%arg330, %arg330) : (i32, i32) -> i32 loc(#loc120)
      "t.call"(%330) {callee = @f30} : (i32) -> () loc(#loc121)
    }) {sym_name = "f29"} : () -> () loc(#loc118)
    "t.func"() ({
    ^bb0(%arg329: i32 loc("a.mlir":153:6)):
      %329 = "t.add"(%arg329, %arg329) : (i32, i32) -> i32 loc(#loc124)
      "t.call"(%329) {callee = @f31} : (i32) -> () loc(#loc125)
    }) {sym_name = "f30"} : () -> () loc(#loc122)
    "t.func"() ({
    ^bb0(%arg328: i32 loc("a.mlir":158:6)):
      %328 = "t.add"(%arg328, %arg328) : (i32, i32) -> i32 loc(#loc128)
      "t.call"(%328) {callee = @f32} : (i32) -> () loc(#loc129)
    }) {sym_name = "f31"} : () -> () loc(#loc126)
    "t.func"() ({
    ^bb0(%arg327: i32 loc("a.mlir":163:6)):
      %327 = "t.add"(%arg327, %arg327) : (i32, i32) -> i32 loc(#loc132)
      "t.call"(%327) {callee = @f33} : (i32) -> () loc(#loc133)
    }) {sym_name = "f32"} : () -> () loc(#loc130)
    "t.func"() ({
    ^bb0(%arg326: i32 loc("a.mlir":168:6)):
      %326 = "t.add"(%arg326, %arg326) : (i32, i32) -> i32 loc(#loc136)
      "t.call"(%326) {callee = @f34} : (i32) -> () loc(#loc137)
    }) {sym_name = "f33"} : () -> () loc(#loc134)
    "t.func"() ({
    ^bb0(%arg325: i32 loc("a.mlir":173:6)):
      %325 = "t.add"(%arg325, %arg325) : (i32, i32) -> i32 loc(#loc140)
      "t.call"(%325) {callee = @f35} : (i32) -> () loc(#loc141)
    }) {sym_name = "f34"} : () -> () loc(#loc138)
    "t.func"() ({
    ^bb0(%arg324: i32 loc("a.mlir":178:6)):
      %324 = "t.add"(%arg324, %arg324) : (i32, i32) -> i32 loc(#loc144)
      "t.call"(%324) {callee = @f36} : (i32) -> () loc(#loc145)
    }) {sym_name = "f35"} : () -> () loc(#loc142)
    "t.func"() ({
    ^bb0(%arg323: i32 loc("a.mlir":183:6)):
      %323 = "t.add"(%arg323, %arg323) : (i32, i32) -> i32 loc(#loc148)
      "t.call"(%323) {callee = @f37} : (i32) -> () loc(#loc149)
    }) {sym_name = "f36"} : () -> () loc(#loc146)
    "t.func"() ({
    ^bb0(%arg322: i32 loc("a.mlir":188:6)):
      %322 = "t.add"(%arg322, %arg322) : (i32, i32) -> i32 loc(#loc152)
      "t.call"(%322) {callee = @f38} : (i32) -> () loc(#loc153)
    }) {sym_name = "f37"} : () -> () loc(#loc150)
    "t.func"() ({
    ^bb0(%arg321: i32 loc("a.mlir":193:6)):
      %321 = "t.add"(%arg321, %arg321) : (i32, i32) -> i32 loc(#loc156)
      "t.call"(%321) {callee = @f39} : (i32) -> () loc(#loc157)
    }) {sym_name = "f38"} : () -> () loc(#loc154)
    "t.func"() ({
    ^bb0(%arg320: i32 loc("a.mlir":198:6)):
      %320 = "t.add"(%arg320, %arg320) : (i32, i32) -> i32 loc(#loc160)
      "t.call"(%320) {callee = @f40} : (i32) -> () loc(#loc161)
    }) {sym_name = "f39"} : () -> () loc(#loc158)
    "t.func"() ({
    ^bb0(%arg319: i32 loc("a.mlir":203:6)):
      %319 = "t.add"(%arg319, %arg319) : (i32, i32) -> i32 loc(#loc164)
      "t.call"(%319) {callee = @f41} : (i32) -> () loc(#loc165)
    }) {sym_name = "f40"} : () -> () loc(#loc162)
    "t.func"() ({
    ^bb0(%arg318: i32 loc("a.mlir":208:6)):
      %318 = "t.add"(%arg318, %arg318) : (i32, i32) -> i32 loc(#loc168)
      "t.call"(%318) {callee = @f42} : (i32) -> () loc(#loc169)
    }) {sym_name = "f41"} : () -> () loc(#loc166)
    "t.func"() ({
    ^bb0(%arg317: i32 loc("a.mlir":213:6)):
      %317 = "t.add"(%arg317, %arg317) : (i32, i32) -> i32 loc(#loc172)
      "t.call"(%317) {callee = @f43} : (i32) -> () loc(#loc173)
    }) {sym_name = "f42"} : () -> () loc(#loc170)
    "t.func"() ({
    ^bb0(%arg316: i32 loc("a.mlir":218:6)):
      %316 = "t.add"(%arg316, %arg316) : (i32, i32) -> i32 loc(#loc176)
      "t.call"(%316) {callee = @f44} : (i32) -> () loc(#loc177)
    }) {sym_name = "f43"} : () -> () loc(#loc174)
    "t.func"() ({
    ^bb0(%arg315: i32 loc("a.mlir":223:6)):
      %315 = "t.add"(%arg315, %arg315) : (i32, i32) -> i32 loc(#loc180)
      "t.call"(%315) {callee = @f45} : (i32) -> () loc(#loc181)
    }) {sym_name = "f44"} : () -> () loc(#loc178)
    "t.func"() ({
    ^bb0(%arg314: i32 loc("a.mlir":228:6)):
      %314 = "t.add"(%arg314, %arg314) : (i32, i32) -> i32 loc(#loc184)
      "t.call"(%314) {callee = @f46} : (i32) -> () loc(#loc185)
    }) {sym_name = "f45"} : () -> () loc(#loc182)
    "t.func"() ({
    ^bb0(%arg313: i32 loc("a.mlir":233:6)):
      %313 = "t.add"(%arg313, %arg313) : (i32, i32) -> i32 loc(#loc188)
      "t.call"(%313) {callee = @f47} : (i32) -> () loc(#loc189)
    }) {sym_name = "f46"} : () -> () loc(#loc186)
    "t.func"() ({
    ^bb0(%arg312: i32 loc("a.mlir":238:6)):
      %312 = "t.add"(%arg312, %arg312) : (i32, i32) -> i32 loc(#loc192)
      "t.call"(%312) {callee = @f48} : (i32) -> () loc(#loc193)
    }) {sym_name = "f47"} : () -> () loc(#loc190)
    "t.func"() ({
    ^bb0(%arg311: i32 loc("a.mlir":243:6)):
      %311 = "t.add"(%arg311, %arg311) : (i32, i32) -> i32 loc(#loc196)
      "t.call"(%311) {callee = @f49} : (i32) -> () loc(#loc197)
    }) {sym_name = "f48"} : () -> () loc(#loc194)
    "t.func"() ({
    ^bb0(%arg310: i32 loc("a.mlir":248:6)):
      %310 = "t.add"(%arg310, %arg310) : (i32, i32) -> i32 loc(#loc200)
      "t.call"(%310) {callee = @f50} : (i32) -> () loc(#loc201)
    }) {sym_name = "f49"} : () -> () loc(#loc198)
    "t.func"() ({
    ^bb0(%arg309: i32 loc("a.mlir":253:6)):
      %309 = "t.add"(%arg309, %arg309) : (i32, i32) -> i32 loc(#loc204)
      "t.call"(%309) {callee = @f51} : (i32) -> () loc(#loc205)
    }) {sym_name = "f50"} : () -> () loc(#loc202)
    "t.func"() ({
    ^bb0(%arg308: i32 loc("a.mlir":258:6)):
      %308 = "t.add"(%arg308, %arg308) : (i32, i32) -> i32 loc(#loc208)
      "t.call"(%308) {callee = @f52} : (i32) -> () loc(#loc209)
    }) {sym_name = "f51"} : () -> () loc(#loc206)
    "t.func"() ({
    ^bb0(%arg307: i32 loc("a.mlir":263:6)):
      %307 = "t.add"(%arg307, %arg307) : (i32, i32) -> i32 loc(#loc212)
      "t.call"(%307) {callee = @f53} : (i32) -> () loc(#loc213)
    }) {sym_name = "f52"} : () -> () loc(#loc210)
    "t.func"() ({
    ^bb0(%arg306: i32 loc("a.mlir":268:6)):
      %306 = "t.add"(%arg306, %arg306) : (i32, i32) -> i32 loc(#loc216)
      "t.call"(%306) {callee = @f54} : (i32) -> () loc(#loc217)
    }) {sym_name = "f53"} : () -> () loc(#loc214)
    "t.func"() ({
    ^bb0(%arg305: i32 loc("a.mlir":273:6)):
      %305 = "t.add"(%arg305, %arg305) : (i32, i32) -> i32 loc(#loc220)
      "t.call"(%305) {callee = @f55} : (i32) -> () loc(#loc221)
    }) {sym_name = "f54"} : () -> () loc(#loc218)
    "t.func"() ({
    ^bb0(%arg304: i32 loc("a.mlir":278:6)):
      %304 = "t.add"(%arg304, %arg304) : (i32, i32) -> i32 loc(#loc224)
      "t.call"(%304) {callee = @f56} : (i32) -> () loc(#loc225)
    }) {sym_name = "f55"} : () -> () loc(#loc222)
    "t.func"() ({
    ^bb0(%arg303: i32 loc("a.mlir":283:6)):
      %303 = "t.add"(%arg303, %arg303) : (i32, i32) -> i32 loc(#loc228)
      "t.call"(%303) {callee = @f57} : (i32) -> () loc(#loc229)
    }) {sym_name = "f56"} : () -> () loc(#loc226)
    "t.func"() ({
    ^bb0(%arg302: i32 loc("a.mlir":288:6)):
      %302 = "t.add"(%arg302, %arg302) : (i32, i32) -> i32 loc(#loc232)
      "t.call"(%302) {callee = @f58} : (i32) -> () loc(#loc233)
    }) {sym_name = "f57"} : () -> () loc(#loc230)
    "t.func"() ({
    ^bb0(%arg301: i32 loc("a.mlir":293:6)):
      %301 = "t.add"(%arg301, %arg301) : (i32, i32) -> i32 loc(#loc236)
      "t.call"(%301) {callee = @f59} : (i32) -> () loc(#loc237)
    }) {sym_name = "f58"} : () -> () loc(#loc234)
    "t.func"() ({
    ^bb0(%arg300: i32 loc("a.mlir":298:6)):
      %300 = "t.add"(%arg300, %arg300) : (i32, i32) -> i32 loc(#loc240)
      "t.call"(%300) {callee = @f60} : (i32) -> () loc(#loc241)
    }) {sym_name = "f59"} : () -> () loc(#loc238)
    "t.func"() ({
    ^bb0(%arg299: i32 loc("a.mlir":303:6)):
      %299 = "t.add"(%arg299, %arg299) : (i32, i32) -> i32 loc(#loc244)
      "t.call"(%299) {callee = @f61} : (i32) -> () loc(#loc245)
    }) {sym_name = "f60"} : () -> () loc(#loc242)
    "t.func"() ({
    ^bb0(%arg298: i32 loc("a.mlir":308:6)):
      %298 = "t.add"(%arg298, %arg298) : (i32, i32) -> i32 loc(#loc248)
      "t.call"(%298) {callee = @f62} : (i32) -> () loc(#loc249)
    }) {sym_name = "f61"} : () -> () loc(#loc246)
    "t.func"() ({
    ^bb0(%arg297: i32 loc("a.mlir":313:6)):
      %297 = "t.add"(%arg297, %arg297) : (i32, i32) -> i32 loc(#loc252)
      "t.call"(%297) {callee = @f63} : (i32) -> () loc(#loc253)
    }) {sym_name = "f62"} : () -> () loc(#loc250)
    "t.func"() ({
    ^bb0(%arg296: i32 loc("a.mlir":318:6)):
      %296 = "t.add"(%arg296, %arg296) : (i32, i32) -> i32 loc(#loc256)
      "t.call"(%296) {callee = @f64} : (i32) -> () loc(#loc257)
    }) {sym_name = "f63"} : () -> () loc(#loc254)
    "t.func"() ({
    ^bb0(%arg295: i32 loc("a.mlir":323:6)):
      %295 = "t.add"(%arg295, %arg295) : (i32, i32) -> i32 loc(#loc260)
      "t.call"(%295) {callee = @f65} : (i32) -> () loc(#loc261)
    }) {sym_name = "f64"} : () -> () loc(#loc258)
    "t.func"() ({
    ^bb0(%arg294: i32 loc("a.mlir":328:6)):
      %294 = "t.add"(%arg294, %arg294) : (i32, i32) -> i32 loc(#loc264)
      "t.call"(%294) {callee = @f66} : (i32) -> () loc(#loc265)
    }) {sym_name = "f65"} : () -> () loc(#loc262)
    "t.func"() ({
    ^bb0(%arg293: i32 loc("a.mlir":333:6)):
      %293 = "t.add"(%arg293, %arg293) : (i32, i32) -> i32 loc(#loc268)
      "t.call"(%293) {callee = @f67} : (i32) -> () loc(#loc269)
    }) {sym_name = "f66"} : () -> () loc(#loc266)
    "t.func"() ({
    ^bb0(%arg292: i32 loc("a.mlir":338:6)):
      %292 = "t.add"(%arg292, %arg292) : (i32, i32) -> i32 loc(#loc272)
      "t.call"(%292) {callee = @f68} : (i32) -> () loc(#loc273)
    }) {sym_name = "f67"} : () -> () loc(#loc270)
    "t.func"() ({
    ^bb0(%arg291: i32 loc("a.mlir":343:6)):
      %291 = "t.add"(%arg291, %arg291) : (i32, i32) -> i32 loc(#loc276)
      "t.call"(%291) {callee = @f69} : (i32) -> () loc(#loc277)
    }) {sym_name = "f68"} : () -> () loc(#loc274)
    "t.func"() ({
    ^bb0(%arg290: i32 loc("a.mlir":348:6)):
      %290 = "t.add"(%arg290, %arg290) : (i32, i32) -> i32 loc(#loc280)
      "t.call"(%290) {callee = @f70} : (i32) -> () loc(#loc281)
    }) {sym_name = "f69"} : () -> () loc(#loc278)
    "t.func"() ({
    ^bb0(%arg289: i32 loc("a.mlir":353:6)):
      %289 = "t.add"(%arg289, %arg289) : (i32, i32) -> i32 loc(#loc284)
      "t.call"(%289) {callee = @f71} : (i32) -> () loc(#loc285)
    }) {sym_name = "f70"} : () -> () loc(#loc282)
    "t.func"() ({
    ^bb0(%arg288: i32 loc("a.mlir":358:6)):
      %288 = "t.add"(%arg288, %arg288) : (i32, i32) -> i32 loc(#loc288)
      "t.call"(%288) {callee = @f72} : (i32) -> () loc(#loc289)
    }) {sym_name = "f71"} : () -> () loc(#loc286)
    "t.func"() ({
    ^bb0(%arg287: i32 loc("a.mlir":363:6)):
      %287 = "t.add"(%arg287, %arg287) : (i32, i32) -> i32 loc(#loc292)
      "t.call"(%287) {callee = @f73} : (i32) -> () loc(#loc293)
    }) {sym_name = "f72"} : () -> () loc(#loc290)
    "t.func"() ({
    ^bb0(%arg286: i32 loc("a.mlir":368:6)):
      %286 = "t.add"(%arg286, %arg286) : (i32, i32) -> i32 loc(#loc296)
      "t.call"(%286) {callee = @f74} : (i32) -> () loc(#loc297)
    }) {sym_name = "f73"} : () -> () loc(#loc294)
    "t.func"() ({
    ^bb0(%arg285: i32 loc("a.mlir":373:6)):
      %285 = "t.add"(%arg285, %arg285) : (i32, i32) -> i32 loc(#loc300)
      "t.call"(%285) {callee = @f75} : (i32) -> () loc(#loc301)
    }) {sym_name = "f74"} : () -> () loc(#loc298)
    "t.func"() ({
    ^bb0(%arg284: i32 loc("a.mlir":378:6)):
      %284 = "t.add"(%arg284, %arg284) : (i32, i32) -> i32 loc(#loc304)
      "t.call"(%284) {callee = @f76} : (i32) -> () loc(#loc305)
    }) {sym_name = "f75"} : () -> () loc(#loc302)
    "t.func"() ({
    ^bb0(%arg283: i32 loc("a.mlir":383:6)):
      %283 = "t.add"(%arg283, %arg283) : (i32, i32) -> i32 loc(#loc308)
      "t.call"(%283) {callee = @f77} : (i32) -> () loc(#loc309)
    }) {sym_name = "f76"} : () -> () loc(#loc306)
    "t.func"() ({
    ^bb0(%arg282: i32 loc("a.mlir":388:6)):
      %282 = "t.add"(%arg282, %arg282) : (i32, i32) -> i32 loc(#loc312)
      "t.call"(%282) {callee = @f78} : (i32) -> () loc(#loc313)
    }) {sym_name = "f77"} : () -> () loc(#loc310)
    "t.func"() ({
    ^bb0(%arg281: i32 loc("a.mlir":393:6)):
      %281 = "t.add"(%arg281, %arg281) : (i32, i32) -> i32 loc(#loc316)
      "t.call"(%281) {callee = @f79} : (i32) -> () loc(#loc317)
    }) {sym_name = "f78"} : () -> () loc(#loc314)
    "t.func"() ({
    ^bb0(%arg280: i32 loc("a.mlir":398:6)):
      %280 = "t.add"(%arg280, %arg280) : (i32, i32) -> i32 loc(#loc320)
      "t.call"(%280) {callee = @f80} : (i32) -> () loc(#loc321)
    }) {sym_name = "f79"} : () -> () loc(#loc318)
    "t.func"() ({
    ^bb0(%arg279: i32 loc("a.mlir":403:6)):
      %279 = "t.add"(%arg279, %arg279) : (i32, i32) -> i32 loc(#loc324)
      "t.call"(%279) {callee = @f81} : (i32) -> () loc(#loc325)
    }) {sym_name = "f80"} : () -> () loc(#loc322)
    "t.func"() ({
    ^bb0(%arg278: i32 loc("a.mlir":408:6)):
      %278 = "t.add"(%arg278, %arg278) : (i32, i32) -> i32 loc(#loc328)
      "t.call"(%278) {callee = @f82} : (i32) -> () loc(#loc329)
    }) {sym_name = "f81"} : () -> () loc(#loc326)
    "t.func"() ({
    ^bb0(%arg277: i32 loc("a.mlir":413:6)):
      %277 = "t.add"(%arg277, %arg277) : (i32, i32) -> i32 loc(#loc332)
      "t.call"(%277) {callee = @f83} : (i32) -> () loc(#loc333)
    }) {sym_name = "f82"} : () -> () loc(#loc330)
    "t.func"() ({
    ^bb0(%arg276: i32 loc("a.mlir":418:6)):
      %276 = "t.add"(%arg276, %arg276) : (i32, i32) -> i32 loc(#loc336)
      "t.call"(%276) {callee = @f84} : (i32) -> () loc(#loc337)
    }) {sym_name = "f83"} : () -> () loc(#loc334)
    "t.func"() ({
    ^bb0(%arg275: i32 loc("a.mlir":423:6)):
      %275 = "t.add"(%arg275, %arg275) : (i32, i32) -> i32 loc(#loc340)
      "t.call"(%275) {callee = @f85} : (i32) -> () loc(#loc341)
    }) {sym_name = "f84"} : () -> () loc(#loc338)
    "t.func"() ({
    ^bb0(%arg274: i32 loc("a.mlir":428:6)):
      %274 = "t.add"(%arg274, %arg274) : (i32, i32) -> i32 loc(#loc344)
      "t.call"(%274) {callee = @f86} : (i32) -> () loc(#loc345)
    }) {sym_name = "f85"} : () -> () loc(#loc342)
    "t.func"() ({
    ^bb0(%arg273: i32 loc("a.mlir":433:6)):
      %273 = "t.add"(%arg273, %arg273) : (i32, i32) -> i32 loc(#loc348)
      "t.call"(%273) {callee = @f87} : (i32) -> () loc(#loc349)
    }) {sym_name = "f86"} : () -> () loc(#loc346)
    "t.func"() ({
    ^bb0(%arg272: i32 loc("a.mlir":438:6)):
      %272 = "t.add"(%arg272, %arg272) : (i32, i32) -> i32 loc(#loc352)
      "t.call"(%272) {callee = @f88} : (i32) -> () loc(#loc353)
    }) {sym_name = "f87"} : () -> () loc(#loc350)
    "t.func"() ({
    ^bb0(%arg271: i32 loc("a.mlir":443:6)):
      %271 = "t.add"(%arg271, %arg271) : (i32, i32) -> i32 loc(#loc356)
      "t.call"(%271) {callee = @f89} : (i32) -> () loc(#loc357)
    }) {sym_name = "f88"} : () -> () loc(#loc354)
    "t.func"() ({
    ^bb0(%arg270: i32 loc("a.mlir":448:6)):
      %270 = "t.add"(%arg270, %arg270) : (i32, i32) -> i32 loc(#loc360)
      "t.call"(%270) {callee = @f90} : (i32) -> () loc(#loc361)
    }) {sym_name = "f89"} : () -> () loc(#loc358)
    "t.func"() ({
    ^bb0(%arg269: i32 loc("a.mlir":453:6)):
      %269 = "t.add"(%arg269, %arg269) : (i32, i32) -> i32 loc(#loc364)
      "t.call"(%269) {callee = @f91} : (i32) -> () loc(#loc365)
    }) {sym_name = "f90"} : () -> () loc(#loc362)
    "t.func"() ({
    ^bb0(%arg268: i32 loc("a.mlir":458:6)):
      %268 = "t.add"(%arg268, %arg268) : (i32, i32) -> i32 loc(#loc368)
      "t.call"(%268) {callee = @f92} : (i32) -> () loc(#loc369)
    }) {sym_name = "f91"} : () -> () loc(#loc366)
    "t.func"() ({
    ^bb0(%arg267: i32 loc("a.mlir":463:6)):
      %267 = "t.add"(%arg267, %arg267) : (i32, i32) -> i32 loc(#loc372)
      "t.call"(%267) {callee = @f93} : (i32) -> () loc(#loc373)
    }) {sym_name = "f92"} : () -> () loc(#loc370)
    "t.func"() ({
    ^bb0(%arg266: i32 loc("a.mlir":468:6)):
      %266 = "t.add"(%arg266, %arg266) : (i32, i32) -> i32 loc(#loc376)
      "t.call"(%266) {callee = @f94} : (i32) -> () loc(#loc377)
    }) {sym_name = "f93"} : () -> () loc(#loc374)
    "t.func"() ({
    ^bb0(%arg265: i32 loc("a.mlir":473:6)):
      %265 = "t.add"(%arg265, %arg265) : (i32, i32) -> i32 loc(#loc380)
      "t.call"(%265) {callee = @f95} : (i32) -> () loc(#loc381)
    }) {sym_name = "f94"} : () -> () loc(#loc378)
    "t.func"() ({
    ^bb0(%arg264: i32 loc("a.mlir":478:6)):
      %264 = "t.add"(%arg264, %arg264) : (i32, i32) -> i32 loc(#loc384)
      "t.call"(%264) {callee = @f96} : (i32) -> () loc(#loc385)
    }) {sym_name = "f95"} : () -> () loc(#loc382)
    "t.func"() ({
    ^bb0(%arg263: i32 loc("a.mlir":483:6)):
      %263 = "t.add"(%arg263, %arg263) : (i32, i32) -> i32 loc(#loc388)
      "t.call"(%263) {callee = @f97} : (i32) -> () loc(#loc389)
    }) {sym_name = "f96"} : () -> () loc(#loc386)
    "t.func"() ({
    ^bb0(%arg262: i32 loc("a.mlir":488:6)):
      %262 = "t.add"(%arg262, %arg262) : (i32, i32) -> i32 loc(#loc392)
      "t.call"(%262) {callee = @f98} : (i32) -> () loc(#loc393)
    }) {sym_name = "f97"} : () -> () loc(#loc390)
    "t.func"() ({
    ^bb0(%arg261: i32 loc("a.mlir":493:6)):
      %261 = "t.add"(%arg261, %arg261) : (i32, i32) -> i32 loc(#loc396)
      "t.call"(%261) {callee = @f99} : (i32) -> () loc(#loc397)
    }) {sym_name = "f98"} : () -> () loc(#loc394)
    "t.func"() ({
    ^bb0(%arg260: i32 loc("a.mlir":498:6)):
      %260 = "t.add"(%arg260, %arg260) : (i32, i32) -> i32 loc(#loc400)
      "t.call"(%260) {callee = @f100} : (i32) -> () loc(#loc401)
    }) {sym_name = "f99"} : () -> () loc(#loc398)
    "t.func"() ({
    ^bb0(%arg259: i32 loc("a.mlir":503:6)):
      %259 = "t.add"(%arg259, %arg259) : (i32, i32) -> i32 loc(#loc404)
      "t.call"(%259) {callee = @f101} : (i32) -> () loc(#loc405)
    }) {sym_name = "f100"} : () -> () loc(#loc402)
    "t.func"() ({
    ^bb0(%arg258: i32 loc("a.mlir":508:6)):
      %258 = "t.add"(%arg258, %arg258) : (i32, i32) -> i32 loc(#loc408)
      "t.call"(%258) {callee = @f102} : (i32) -> () loc(#loc409)
    }) {sym_name = "f101"} : () -> () loc(#loc406)
    "t.func"() ({
    ^bb0(%arg257: i32 loc("a.mlir":513:6)):
      %257 = "t.add"(%arg257, %arg257) : (i32, i32) -> i32 loc(#loc412)
      "t.call"(%257) {callee = @f103} : (i32) -> () loc(#loc413)
    }) {sym_name = "f102"} : () -> () loc(#loc410)
    "t.func"() ({
    ^bb0(%arg256: i32 loc("a.mlir":518:6)):
      %256 = "t.add"(%arg256, %arg256) : (i32, i32) -> i32 loc(#loc416)
      "t.call"(%256) {callee = @f104} : (i32) -> () loc(#loc417)
    }) {sym_name = "f103"} : () -> () loc(#loc414)
    "t.func"() ({
    ^bb0(%arg255: i32 loc("a.mlir":523:6)):
      %255 = "t.add"(%arg255, %arg255) : (i32, i32) -> i32 loc(#loc420)
      "t.call"(%255) {callee = @f105} : (i32) -> () loc(#loc421)
    }) {sym_name = "f104"} : () -> () loc(#loc418)
    "t.func"() ({
    ^bb0(%arg254: i32 loc("a.mlir":528:6)):
      %254 = "t.add"(%arg254, %arg254) : (i32, i32) -> i32 loc(#loc424)
      "t.call"(%254) {callee = @f106} : (i32) -> () loc(#loc425)
    }) {sym_name = "f105"} : () -> () loc(#loc422)
    "t.func"() ({
    ^bb0(%arg253: i32 loc("a.mlir":533:6)):
      %253 = "t.add"(%arg253, %arg253) : (i32, i32) -> i32 loc(#loc428)
      "t.call"(%253) {callee = @f107} : (i32) -> () loc(#loc429)
    }) {sym_name = "f106"} : () -> () loc(#loc426)
    "t.func"() ({
    ^bb0(%arg252: i32 loc("a.mlir":538:6)):
      %252 = "t.add"(%arg252, %arg252) : (i32, i32) -> i32 loc(#loc432)
      "t.call"(%252) {callee = @f108} : (i32) -> () loc(#loc433)
    }) {sym_name = "f107"} : () -> () loc(#loc430)
    "t.func"() ({
    ^bb0(%arg251: i32 loc("a.mlir":543:6)):
      %251 = "t.add"(%arg251, %arg251) : (i32, i32) -> i32 loc(#loc436)
      "t.call"(%251) {callee = @f109} : (i32) -> () loc(#loc437)
    }) {sym_name = "f108"} : () -> () loc(#loc434)
    "t.func"() ({
    ^bb0(%arg250: i32 loc("a.mlir":548:6)):
      %250 = "t.add"(%arg250, %arg250) : (i32, i32) -> i32 loc(#loc440)
      "t.call"(%250) {callee = @f110} : (i32) -> () loc(#loc441)
    }) {sym_name = "f109"} : () -> () loc(#loc438)
    "t.func"() ({
    ^bb0(%arg249: i32 loc("a.mlir":553:6)):
      %249 = "t.add"(%arg249, %arg249) : (i32, i32) -> i32 loc(#loc444)
      "t.call"(%249) {callee = @f111} : (i32) -> () loc(#loc445)
    }) {sym_name = "f110"} : () -> () loc(#loc442)
    "t.func"() ({
    ^bb0(%arg248: i32 loc("a.mlir":558:6)):
      %248 = "t.add"(%arg248, %arg248) : (i32, i32) -> i32 loc(#loc448)
      "t.call"(%248) {callee = @f112} : (i32) -> () loc(#loc449)
    }) {sym_name = "f111"} : () -> () loc(#loc446)
    "t.func"() ({
    ^bb0(%arg247: i32 loc("a.mlir":563:6)):
      %247 = "t.add"(%arg247, %arg247) : (i32, i32) -> i32 loc(#loc452)
      "t.call"(%247) {callee = @f113} : (i32) -> () loc(#loc453)
    }) {sym_name = "f112"} : () -> () loc(#loc450)
    "t.func"() ({
    ^bb0(%arg246: i32 loc("a.mlir":568:6)):
      %246 = "t.add"(%arg246, %arg246) : (i32, i32) -> i32 loc(#loc456)
      "t.call"(%246) {callee = @f114} : (i32) -> () loc(#loc457)
    }) {sym_name = "f113"} : () -> () loc(#loc454)
    "t.func"() ({
    ^bb0(%arg245: i32 loc("a.mlir":573:6)):
      %245 = "t.add"(%arg245, %arg245) : (i32, i32) -> i32 loc(#loc460)
      "t.call"(%245) {callee = @f115} : (i32) -> () loc(#loc461)
    }) {sym_name = "f114"} : () -> () loc(#loc458)
    "t.func"() ({
    ^bb0(%arg244: i32 loc("a.mlir":578:6)):
      %244 = "t.add"(%arg244, %arg244) : (i32, i32) -> i32 loc(#loc464)
      "t.call"(%244) {callee = @f116} : (i32) -> () loc(#loc465)
    }) {sym_name = "f115"} : () -> () loc(#loc462)
    "t.func"() ({
    ^bb0(%arg243: i32 loc("a.mlir":583:6)):
      %243 = "t.add"(%arg243, %arg243) : (i32, i32) -> i32 loc(#loc468)
      "t.call"(%243) {callee = @f117} : (i32) -> () loc(#loc469)
    }) {sym_name = "f116"} : () -> () loc(#loc466)
    "t.func"() ({
    ^bb0(%arg242: i32 loc("a.mlir":588:6)):
      %242 = "t.add"(%arg242, %arg242) : (i32, i32) -> i32 loc(#loc472)
      "t.call"(%242) {callee = @f118} : (i32) -> () loc(#loc473)
    }) {sym_name = "f117"} : () -> () loc(#loc470)
    "t.func"() ({
    ^bb0(%arg241: i32 loc("a.mlir":593:6)):
      %241 = "t.add"(%arg241, %arg241) : (i32, i32) -> i32 loc(#loc476)
      "t.call"(%241) {callee = @f119} : (i32) -> () loc(#loc477)
    }) {sym_name = "f118"} : () -> () loc(#loc474)
    "t.func"() ({
    ^bb0(%arg240: i32 loc("a.mlir":598:6)):
      %240 = "t.add"(%arg240, %arg240) : (i32, i32) -> i32 loc(#loc480)
      "t.call"(%240) {callee = @f0} : (i32) -> () loc(#loc481)
    }) {sym_name = "f119"} : () -> () loc(#loc478)
  }) {sym_name = "m0"} : () -> () loc(#loc1)
  "t.op"() : () -> () loc(#loc482)
  "t.module"() ({
    "t.func"() ({
    ^bb0(%arg239: i32 loc("a.mlir":606:6)):
      %239 = "t.add"(%arg239, %arg239) : (i32, i32) -> i32 loc(#loc486)
      "t.call"(%239) {callee = @f1} : (i32) -> () loc(#loc487)
    }) {sym_name = "f0"} : () -> () loc(#loc484)
    "t.func"() ({
    ^bb0(%arg238: i32 loc("a.mlir":611:6)):
      %238 = "t.add"(%arg238, %arg238) : (i32, i32) -> i32 loc(#loc490)
      "t.call"(%238) {callee = @f2} : (i32) -> () loc(#loc491)
    }) {sym_name = "f1"} : () -> () loc(#loc488)
    "t.func"() ({
    ^bb0(%arg237: i32 loc("a.mlir":616:6)):
      %237 = "t.add"(%arg237, %arg237) : (i32, i32) -> i32 loc(#loc494)
      "t.call"(%237) {callee = @f3} : (i32) -> () loc(#loc495)
    }) {sym_name = "f2"} : () -> () loc(#loc492)
    "t.func"() ({
    ^bb0(%arg236: i32 loc("a.mlir":621:6)):
      %236 = "t.add"(%arg236, %arg236) : (i32, i32) -> i32 loc(#loc498)
      "t.call"(%236) {callee = @f4} : (i32) -> () loc(#loc499)
    }) {sym_name = "f3"} : () -> () loc(#loc496)
    "t.func"() ({
    ^bb0(%arg235: i32 loc("a.mlir":626:6)):
      %235 = "t.add"(%arg235, %arg235) : (i32, i32) -> i32 loc(#loc502)
      "t.call"(%235) {callee = @f5} : (i32) -> () loc(#loc503)
    }) {sym_name = "f4"} : () -> () loc(#loc500)
    "t.func"() ({
    ^bb0(%arg234: i32 loc("a.mlir":631:6)):
      %234 = "t.add"(%arg234, %arg234) : (i32, i32) -> i32 loc(#loc506)
      "t.call"(%234) {callee = @f6} : (i32) -> () loc(#loc507)
    }) {sym_name = "f5"} : () -> () loc(#loc504)
    "t.func"() ({
    ^bb0(%arg233: i32 loc("a.mlir":636:6)):
      %233 = "t.add"(%arg233, %arg233) : (i32, i32) -> i32 loc(#loc510)
      "t.call"(%233) {callee = @f7} : (i32) -> () loc(#loc511)
    }) {sym_name = "f6"} : () -> () loc(#loc508)
    "t.func"() ({
    ^bb0(%arg232: i32 loc("a.mlir":641:6)):
      %232 = "t.add"(%arg232, %arg232) : (i32, i32) -> i32 loc(#loc514)
      "t.call"(%232) {callee = @f8} : (i32) -> () loc(#loc515)
    }) {sym_name = "f7"} : () -> () loc(#loc512)
    "t.func"() ({
    ^bb0(%arg231: i32 loc("a.mlir":646:6)):
      %231 = "t.add"(%arg231, %arg231) : (i32, i32) -> i32 loc(#loc518)
      "t.call"(%231) {callee = @f9} : (i32) -> () loc(#loc519)
    }) {sym_name = "f8"} : () -> () loc(#loc516)
    "t.func"() ({
    ^bb0(%arg230: i32 loc("a.mlir":651:6)):
      %230 = "t.add"(%arg230, %arg230) : (i32, i32) -> i32 loc(#loc522)
      "t.call"(%230) {callee = @f10} : (i32) -> () loc(#loc523)
    }) {sym_name = "f9"} : () -> () loc(#loc520)
    "t.func"() ({
    ^bb0(%arg229: i32 loc("a.mlir":656:6)):
      %229 = "t.add"(%arg229, %arg229) : (i32, i32) -> i32 loc(#loc526)
      "t.call"(%229) {callee = @f11} : (i32) -> () loc(#loc527)
    }) {sym_name = "f10"} : () -> () loc(#loc524)
    "t.func"() ({
    ^bb0(%arg228: i32 loc("a.mlir":661:6)):
      %228 = "t.add"(%arg228, %arg228) : (i32, i32) -> i32 loc(#loc530)
      "t.call"(%228) {callee = @f12} : (i32) -> () loc(#loc531)
    }) {sym_name = "f11"} : () -> () loc(#loc528)
    "t.func"() ({
    ^bb0(%arg227: i32 loc("a.mlir":666:6)):
      %227 = "t.add"(%arg227, %arg227) : (i32, i32) -> i32 loc(#loc534)
      "t.call"(%227) {callee = @f13} : (i32) -> () loc(#loc535)
    }) {sym_name = "f12"} : () -> () loc(#loc532)
    "t.func"() ({
    ^bb0(%arg226: i32 loc("a.mlir":671:6)):
      %226 = "t.add"(%arg226, %arg226) : (i32, i32) -> i32 loc(#loc538)
      "t.call"(%226) {callee = @f14} : (i32) -> () loc(#loc539)
    }) {sym_name = "f13"} : () -> () loc(#loc536)
    "t.func"() ({
    ^bb0(%arg225: i32 loc("a.mlir":676:6)):
      %225 = "t.add"(%arg225, %arg225) : (i32, i32) -> i32 loc(#loc542)
      "t.call"(%225) {callee = @f15} : (i32) -> () loc(#loc543)
    }) {sym_name = "f14"} : () -> () loc(#loc540)
    "t.func"() ({
    ^bb0(%arg224: i32 loc("a.mlir":681:6)):
      %224 = "t.add"(%arg224, %arg224) : (i32, i32) -> i32 loc(#loc546)
      "t.call"(%224) {callee = @f16} : (i32) -> () loc(#loc547)
    }) {sym_name = "f15"} : () -> () loc(#loc544)
    "t.func"() ({
    ^bb0(%arg223: i32 loc("a.mlir":686:6)):
      %223 = "t.add"(%arg223, %arg223) : (i32, i32) -> i32 loc(#loc550)
      "t.call"(%223) {callee = @f17} : (i32) -> () loc(#loc551)
    }) {sym_name = "f16"} : () -> () loc(#loc548)
    "t.func"() ({
    ^bb0(%arg222: i32 loc("a.mlir":691:6)):
      %222 = "t.add"(%arg222, %arg222) : (i32, i32) -> i32 loc(#loc554)
      "t.call"(%222) {callee = @f18} : (i32) -> () loc(#loc555)
    }) {sym_name = "f17"} : () -> () loc(#loc552)
    "t.func"() ({
    ^bb0(%arg221: i32 loc("a.mlir":696:6)):
      %221 = "t.add"(%arg221, %arg221) : (i32, i32) -> i32 loc(#loc558)
      "t.call"(%221) {callee = @f19} : (i32) -> () loc(#loc559)
    }) {sym_name = "f18"} : () -> () loc(#loc556)
    "t.func"() ({
    ^bb0(%arg220: i32 loc("a.mlir":701:6)):
      %220 = "t.add"(%arg220, %arg220) : (i32, i32) -> i32 loc(#loc562)
      "t.call"(%220) {callee = @f20} : (i32) -> () loc(#loc563)
    }) {sym_name = "f19"} : () -> () loc(#loc560)
    "t.func"() ({
    ^bb0(%arg219: i32 loc("a.mlir":706:6)):
      %219 = "t.add"(%arg219, %arg219) : (i32, i32) -> i32 loc(#loc566)
      "t.call"(%219) {callee = @f21} : (i32) -> () loc(#loc567)
    }) {sym_name = "f20"} : () -> () loc(#loc564)
    "t.func"() ({
    ^bb0(%arg218: i32 loc("a.mlir":711:6)):
      %218 = "t.add"(%arg218, %arg218) : (i32, i32) -> i32 loc(#loc570)
      "t.call"(%218) {callee = @f22} : (i32) -> () loc(#loc571)
    }) {sym_name = "f21"} : () -> () loc(#loc568)
    "t.func"() ({
    ^bb0(%arg217: i32 loc("a.mlir":716:6)):
      %217 = "t.add"(%arg217, %arg217) : (i32, i32) -> i32 loc(#loc574)
      "t.call"(%217) {callee = @f23} : (i32) -> () loc(#loc575)
    }) {sym_name = "f22"} : () -> () loc(#loc572)
    "t.func"() ({
    ^bb0(%arg216: i32 loc("a.mlir":721:6)):
      %216 = "t.add"(%arg216, %arg216) : (i32, i32) -> i32 loc(#loc578)
      "t.call"(%216) {callee = @f24} : (i32) -> () loc(#loc579)
    }) {sym_name = "f23"} : () -> () loc(#loc576)
    "t.func"() ({
    ^bb0(%arg215: i32 loc("a.mlir":726:6)):
      %215 = "t.add"(%arg215, %arg215) : (i32, i32) -> i32 loc(#loc582)
      "t.call"(%215) {callee = @f25} : (i32) -> () loc(#loc583)
    }) {sym_name = "f24"} : () -> () loc(#loc580)
    "t.func"() ({
    ^bb0(%arg214: i32 loc("a.mlir":731:6)):
      %214 = "t.add"(%arg214, %arg214) : (i32, i32) -> i32 loc(#loc586)
      "t.call"(%214) {callee = @f26} : (i32) -> () loc(#loc587)
    }) {sym_name = "f25"} : () -> () loc(#loc584)
    "t.func"() ({
    ^bb0(%arg213: i32 loc("a.mlir":736:6)):
      %213 = "t.add"(%arg213, %arg213) : (i32, i32) -> i32 loc(#loc590)
      "t.call"(%213) {callee = @f27} : (i32) -> () loc(#loc591)
    }) {sym_name = "f26"} : () -> () loc(#loc588)
    "t.func"() ({
    ^bb0(%arg212: i32 loc("a.mlir":741:6)):
      %212 = "t.add"(%arg212, %arg212) : (i32, i32) -> i32 loc(#loc594)
      "t.call"(%212) {callee = @f28} : (i32) -> () loc(#loc595)
    }) {sym_name = "f27"} : () -> () loc(#loc592)
    "t.func"() ({
    ^bb0(%arg211: i32 loc("a.mlir":746:6)):
      %211 = "t.add"(%arg211, %arg211) : (i32, i32) -> i32 loc(#loc598)
      "t.call"(%211) {callee = @f29} : (i32) -> () loc(#loc599)
    }) {sym_name = "f28"} : () -> () loc(#loc596)
    "t.func"() ({
    ^bb0(%arg210: i32 loc("a.mlir":751:6)):
      %210 = "t.add"(%arg210, %arg210) : (i32, i32) -> i32 loc(#loc602)
      "t.call"(%210) {callee = @f30} : (i32) -> () loc(#loc603)
    }) {sym_name = "f29"} : () -> () loc(#loc600)
    "t.func"() ({
    ^bb0(%arg209: i32 loc("a.mlir":756:6)):
      %209 = "t.add"(%arg209, %arg209) : (i32, i32) -> i32 loc(#loc606)
      "t.call"(%209) {callee = @f31} : (i32) -> () loc(#loc607)
    }) {sym_name = "f30"} : () -> () loc(#loc604)
    "t.func"() ({
    ^bb0(%arg208: i32 loc("a.mlir":761:6)):
      %208 = "t.add"(%arg208, %arg208) : (i32, i32) -> i32 loc(#loc610)
      "t.call"(%208) {callee = @f32} : (i32) -> () loc(#loc611)
    }) {sym_name = "f31"} : () -> () loc(#loc608)
    "t.func"() ({
    ^bb0(%arg207: i32 loc("a.mlir":766:6)):
      %207 = "t.add"(%arg207, %arg207) : (i32, i32) -> i32 loc(#loc614)
      "t.call"(%207) {callee = @f33} : (i32) -> () loc(#loc615)
    }) {sym_name = "f32"} : () -> () loc(#loc612)
    "t.func"() ({
    ^bb0(%arg206: i32 loc("a.mlir":771:6)):
      %206 = "t.add"(%arg206, %arg206) : (i32, i32) -> i32 loc(#loc618)
      "t.call"(%206) {callee = @f34} : (i32) -> () loc(#loc619)
    }) {sym_name = "f33"} : () -> () loc(#loc616)
    "t.func"() ({
    ^bb0(%arg205: i32 loc("a.mlir":776:6)):
      %205 = "t.add"(%arg205, %arg205) : (i32, i32) -> i32 loc(#loc622)
      "t.call"(%205) {callee = @f35} : (i32) -> () loc(#loc623)
    }) {sym_name = "f34"} : () -> () loc(#loc620)
    "t.func"() ({
    ^bb0(%arg204: i32 loc("a.mlir":781:6)):
      %204 = "t.add"(%arg204, %arg204) : (i32, i32) -> i32 loc(#loc626)
      "t.call"(%204) {callee = @f36} : (i32) -> () loc(#loc627)
    }) {sym_name = "f35"} : () -> () loc(#loc624)
    "t.func"() ({
    ^bb0(%arg203: i32 loc("a.mlir":786:6)):
      %203 = "t.add"(%arg203, %arg203) : (i32, i32) -> i32 loc(#loc630)
      "t.call"(%203) {callee = @f37} : (i32) -> () loc(#loc631)
    }) {sym_name = "f36"} : () -> () loc(#loc628)
    "t.func"() ({
    ^bb0(%arg202: i32 loc("a.mlir":791:6)):
      %202 = "t.add"(%arg202, %arg202) : (i32, i32) -> i32 loc(#loc634)
      "t.call"(%202) {callee = @f38} : (i32) -> () loc(#loc635)
    }) {sym_name = "f37"} : () -> () loc(#loc632)
    "t.func"() ({
    ^bb0(%arg201: i32 loc("a.mlir":796:6)):
      %201 = "t.add"(%arg201, %arg201) : (i32, i32) -> i32 loc(#loc638)
      "t.call"(%201) {callee = @f39} : (i32) -> () loc(#loc639)
    }) {sym_name = "f38"} : () -> () loc(#loc636)
    "t.func"() ({
    ^bb0(%arg200: i32 loc("a.mlir":801:6)):
      %200 = "t.add"(%arg200, %arg200) : (i32, i32) -> i32 loc(#loc642)
      "t.call"(%200) {callee = @f40} : (i32) -> () loc(#loc643)
    }) {sym_name = "f39"} : () -> () loc(#loc640)
    "t.func"() ({
    ^bb0(%arg199: i32 loc("a.mlir":806:6)):
      %199 = "t.add"(%arg199, %arg199) : (i32, i32) -> i32 loc(#loc646)
      "t.call"(%199) {callee = @f41} : (i32) -> () loc(#loc647)
    }) {sym_name = "f40"} : () -> () loc(#loc644)
    "t.func"() ({
    ^bb0(%arg198: i32 loc("a.mlir":811:6)):
      %198 = "t.add"(%arg198, %arg198) : (i32, i32) -> i32 loc(#loc650)
      "t.call"(%198) {callee = @f42} : (i32) -> () loc(#loc651)
    }) {sym_name = "f41"} : () -> () loc(#loc648)
    "t.func"() ({
    ^bb0(%arg197: i32 loc("a.mlir":816:6)):
      %197 = "t.add"(%arg197, %arg197) : (i32, i32) -> i32 loc(#loc654)
      "t.call"(%197) {callee = @f43} : (i32) -> () loc(#loc655)
    }) {sym_name = "f42"} : () -> () loc(#loc652)
    "t.func"() ({
    ^bb0(%arg196: i32 loc("a.mlir":821:6)):
      %196 = "t.add"(%arg196, %arg196) : (i32, i32) -> i32 loc(#loc658)
      "t.call"(%196) {callee = @f44} : (i32) -> () loc(#loc659)
    }) {sym_name = "f43"} : () -> () loc(#loc656)
    "t.func"() ({
    ^bb0(%arg195: i32 loc("a.mlir":826:6)):
      %195 = "t.add"(%arg195, %arg195) : (i32, i32) -> i32 loc(#loc662)
      "t.call"(%195) {callee = @f45} : (i32) -> () loc(#loc663)
    }) {sym_name = "f44"} : () -> () loc(#loc660)
    "t.func"() ({
    ^bb0(%arg194: i32 loc("a.mlir":831:6)):
      %194 = "t.add"(%arg194, %arg194) : (i32, i32) -> i32 loc(#loc666)
      "t.call"(%194) {callee = @f46} : (i32) -> () loc(#loc667)
    }) {sym_name = "f45"} : () -> () loc(#loc664)
    "t.func"() ({
    ^bb0(%arg193: i32 loc("a.mlir":836:6)):
      %193 = "t.add"(%arg193, %arg193) : (i32, i32) -> i32 loc(#loc670)
      "t.call"(%193) {callee = @f47} : (i32) -> () loc(#loc671)
    }) {sym_name = "f46"} : () -> () loc(#loc668)
    "t.func"() ({
    ^bb0(%arg192: i32 loc("a.mlir":841:6)):
      %192 = "t.add"(%arg192, %arg192) : (i32, i32) -> i32 loc(#loc674)
      "t.call"(%192) {callee = @f48} : (i32) -> () loc(#loc675)
    }) {sym_name = "f47"} : () -> () loc(#loc672)
    "t.func"() ({
    ^bb0(%arg191: i32 loc("a.mlir":846:6)):
      %191 = "t.add"(%arg191, %arg191) : (i32, i32) -> i32 loc(#loc678)
      "t.call"(%191) {callee = @f49} : (i32) -> () loc(#loc679)
    }) {sym_name = "f48"} : () -> () loc(#loc676)
    "t.func"() ({
    ^bb0(%arg190: i32 loc("a.mlir":851:6)):
      %190 = "t.add"(%arg190, %arg190) : (i32, i32) -> i32 loc(#loc682)
      "t.call"(%190) {callee = @f50} : (i32) -> () loc(#loc683)
    }) {sym_name = "f49"} : () -> () loc(#loc680)
    "t.func"() ({
    ^bb0(%arg189: i32 loc("a.mlir":856:6)):
      %189 = "t.add"(%arg189, %arg189) : (i32, i32) -> i32 loc(#loc686)
      "t.call"(%189) {callee = @f51} : (i32) -> () loc(#loc687)
    }) {sym_name = "f50"} : () -> () loc(#loc684)
    "t.func"() ({
    ^bb0(%arg188: i32 loc("a.mlir":861:6)):
      %188 = "t.add"(%arg188, %arg188) : (i32, i32) -> i32 loc(#loc690)
      "t.call"(%188) {callee = @f52} : (i32) -> () loc(#loc691)
    }) {sym_name = "f51"} : () -> () loc(#loc688)
    "t.func"() ({
    ^bb0(%arg187: i32 loc("a.mlir":866:6)):
      %187 = "t.add"(%arg187, %arg187) : (i32, i32) -> i32 loc(#loc694)
      "t.call"(%187) {callee = @f53} : (i32) -> () loc(#loc695)
    }) {sym_name = "f52"} : () -> () loc(#loc692)
    "t.func"() ({
    ^bb0(%arg186: i32 loc("a.mlir":871:6)):
      %186 = "t.add"(%arg186, %arg186) : (i32, i32) -> i32 loc(#loc698)
      "t.call"(%186) {callee = @f54} : (i32) -> () loc(#loc699)
    }) {sym_name = "f53"} : () -> () loc(#loc696)
    "t.func"() ({
    ^bb0(%arg185: i32 loc("a.mlir":876:6)):
      %185 = "t.add"(%arg185, %arg185) : (i32, i32) -> i32 loc(#loc702)
      "t.call"(%185) {callee = @f55} : (i32) -> () loc(#loc703)
    }) {sym_name = "f54"} : () -> () loc(#loc700)
    "t.func"() ({
    ^bb0(%arg184: i32 loc("a.mlir":881:6)):
      %184 = "t.add"(%arg184, %arg184) : (i32, i32) -> i32 loc(#loc706)
      "t.call"(%184) {callee = @f56} : (i32) -> () loc(#loc707)
    }) {sym_name = "f55"} : () -> () loc(#loc704)
    "t.func"() ({
    ^bb0(%arg183: i32 loc("a.mlir":886:6)):
      %183 = "t.add"(%arg183, %arg183) : (i32, i32) -> i32 loc(#loc710)
      "t.call"(%183) {callee = @f57} : (i32) -> () loc(#loc711)
    }) {sym_name = "f56"} : () -> () loc(#loc708)
    "t.func"() ({
    ^bb0(%arg182: i32 loc("a.mlir":891:6)):
      %182 = "t.add"(%arg182, %arg182) : (i32, i32) -> i32 loc(#loc714)
      "t.call"(%182) {callee = @f58} : (i32) -> () loc(#loc715)
    }) {sym_name = "f57"} : () -> () loc(#loc712)
    "t.func"() ({
    ^bb0(%arg181: i32 loc("a.mlir":896:6)):
      %181 = "t.add"(%arg181, %arg181) : (i32, i32) -> i32 loc(#loc718)
      "t.call"(%181) {callee = @f59} : (i32) -> () loc(#loc719)
    }) {sym_name = "f58"} : () -> () loc(#loc716)
    "t.func"() ({
    ^bb0(%arg180: i32 loc("a.mlir":901:6)):
      %180 = "t.add"(%arg180, %arg180) : (i32, i32) -> i32 loc(#loc722)
      "t.call"(%180) {callee = @f60} : (i32) -> () loc(#loc723)
    }) {sym_name = "f59"} : () -> () loc(#loc720)
    "t.func"() ({
    ^bb0(%arg179: i32 loc("a.mlir":906:6)):
      %179 = "t.add"(%arg179, %arg179) : (i32, i32) -> i32 loc(#loc726)
      "t.call"(%179) {callee = @f61} : (i32) -> () loc(#loc727)
    }) {sym_name = "f60"} : () -> () loc(#loc724)
    "t.func"() ({
    ^bb0(%arg178: i32 loc("a.mlir":911:6)):
      %178 = "t.add"(%arg178, %arg178) : (i32, i32) -> i32 loc(#loc730)
      "t.call"(%178) {callee = @f62} : (i32) -> () loc(#loc731)
    }) {sym_name = "f61"} : () -> () loc(#loc728)
    "t.func"() ({
    ^bb0(%arg177: i32 loc("a.mlir":916:6)):
      %177 = "t.add"(%arg177, %arg177) : (i32, i32) -> i32 loc(#loc734)
      "t.call"(%177) {callee = @f63} : (i32) -> () loc(#loc735)
    }) {sym_name = "f62"} : () -> () loc(#loc732)
    "t.func"() ({
    ^bb0(%arg176: i32 loc("a.mlir":921:6)):
      %176 = "t.add"(%arg176, %arg176) : (i32, i32) -> i32 loc(#loc738)
      "t.call"(%176) {callee = @f64} : (i32) -> () loc(#loc739)
    }) {sym_name = "f63"} : () -> () loc(#loc736)
    "t.func"() ({
    ^bb0(%arg175: i32 loc("a.mlir":926:6)):
      %175 = "t.add"(%arg175, %arg175) : (i32, i32) -> i32 loc(#loc742)
      "t.call"(%175) {callee = @f65} : (i32) -> () loc(#loc743)
    }) {sym_name = "f64"} : () -> () loc(#loc740)
    "t.func"() ({
    ^bb0(%arg174: i32 loc("a.mlir":931:6)):
      %174 = "t.add"(%arg174, %arg174) : (i32, i32) -> i32 loc(#loc746)
      "t.call"(%174) {callee = @f66} : (i32) -> () loc(#loc747)
    }) {sym_name = "f65"} : () -> () loc(#loc744)
    "t.func"() ({
    ^bb0(%arg173: i32 loc("a.mlir":936:6)):
      %173 = "t.add"(%arg173, %arg173) : (i32, i32) -> i32 loc(#loc750)
      "t.call"(%173) {callee = @f67} : (i32) -> () loc(#loc751)
    }) {sym_name = "f66"} : () -> () loc(#loc748)
    "t.func"() ({
    ^bb0(%arg172: i32 loc("a.mlir":941:6)):
      %172 = "t.add"(%arg172, %arg172) : (i32, i32) -> i32 loc(#loc754)
      "t.call"(%172) {callee = @f68} : (i32) -> () loc(#loc755)
    }) {sym_name = "f67"} : () -> () loc(#loc752)
    "t.func"() ({
    ^bb0(%arg171: i32 loc("a.mlir":946:6)):
      %171 = "t.add"(%arg171, %arg171) : (i32, i32) -> i32 loc(#loc758)
      "t.call"(%171) {callee = @f69} : (i32) -> () loc(#loc759)
    }) {sym_name = "f68"} : () -> () loc(#loc756)
    "t.func"() ({
    ^bb0(%arg170: i32 loc("a.mlir":951:6)):
      %170 = "t.add"(%arg170, %arg170) : (i32, i32) -> i32 loc(#loc762)
      "t.call"(%170) {callee = @f70} : (i32) -> () loc(#loc763)
    }) {sym_name = "f69"} : () -> () loc(#loc760)
    "t.func"() ({
    ^bb0(%arg169: i32 loc("a.mlir":956:6)):
      %169 = "t.add"(%arg169, %arg169) : (i32, i32) -> i32 loc(#loc766)
      "t.call"(%169) {callee = @f71} : (i32) -> () loc(#loc767)
    }) {sym_name = "f70"} : () -> () loc(#loc764)
    "t.func"() ({
    ^bb0(%arg168: i32 loc("a.mlir":961:6)):
      %168 = "t.add"(%arg168, %arg168) : (i32, i32) -> i32 loc(#loc770)
      "t.call"(%168) {callee = @f72} : (i32) -> () loc(#loc771)
    }) {sym_name = "f71"} : () -> () loc(#loc768)
    "t.func"() ({
    ^bb0(%arg167: i32 loc("a.mlir":966:6)):
      %167 = "t.add"(%arg167, %arg167) : (i32, i32) -> i32 loc(#loc774)
      "t.call"(%167) {callee = @f73} : (i32) -> () loc(#loc775)
    }) {sym_name = "f72"} : () -> () loc(#loc772)
    "t.func"() ({
    ^bb0(%arg166: i32 loc("a.mlir":971:6)):
      %166 = "t.add"(%arg166, %arg166) : (i32, i32) -> i32 loc(#loc778)
      "t.call"(%166) {callee = @f74} : (i32) -> () loc(#loc779)
    }) {sym_name = "f73"} : () -> () loc(#loc776)
    "t.func"() ({
    ^bb0(%arg165: i32 loc("a.mlir":976:6)):
      %165 = "t.add"(%arg165, %arg165) : (i32, i32) -> i32 loc(#loc782)
      "t.call"(%165) {callee = @f75} : (i32) -> () loc(#loc783)
    }) {sym_name = "f74"} : () -> () loc(#loc780)
    "t.func"() ({
    ^bb0(%arg164: i32 loc("a.mlir":981:6)):
      %164 = "t.add"(%arg164, %arg164) : (i32, i32) -> i32 loc(#loc786)
      "t.call"(%164) {callee = @f76} : (i32) -> () loc(#loc787)
    }) {sym_name = "f75"} : () -> () loc(#loc784)
    "t.func"() ({
    ^bb0(%arg163: i32 loc("a.mlir":986:6)):
      %163 = "t.add"(%arg163, %arg163) : (i32, i32) -> i32 loc(#loc790)
      "t.call"(%163) {callee = @f77} : (i32) -> () loc(#loc791)
    }) {sym_name = "f76"} : () -> () loc(#loc788)
    "t.func"() ({
    ^bb0(%arg162: i32 loc("a.mlir":991:6)):
      %162 = "t.add"(%arg162, %arg162) : (i32, i32) -> i32 loc(#loc794)
      "t.call"(%162) {callee = @f78} : (i32) -> () loc(#loc795)
    }) {sym_name = "f77"} : () -> () loc(#loc792)
    "t.func"() ({
    ^bb0(%arg161: i32 loc("a.mlir":996:6)):
      %161 = "t.add"(%arg161, %arg161) : (i32, i32) -> i32 loc(#loc798)
      "t.call"(%161) {callee = @f79} : (i32) -> () loc(#loc799)
    }) {sym_name = "f78"} : () -> () loc(#loc796)
    "t.func"() ({
    ^bb0(%arg160: i32 loc("a.mlir":1001:6)):
      %160 = "t.add"(%arg160, %arg160) : (i32, i32) -> i32 loc(#loc802)
      "t.call"(%160) {callee = @f80} : (i32) -> () loc(#loc803)
    }) {sym_name = "f79"} : () -> () loc(#loc800)
    "t.func"() ({
    ^bb0(%arg159: i32 loc("a.mlir":1006:6)):
      %159 = "t.add"(%arg159, %arg159) : (i32, i32) -> i32 loc(#loc806)
      "t.call"(%159) {callee = @f81} : (i32) -> () loc(#loc807)
    }) {sym_name = "f80"} : () -> () loc(#loc804)
    "t.func"() ({
    ^bb0(%arg158: i32 loc("a.mlir":1011:6)):
      %158 = "t.add"(%arg158, %arg158) : (i32, i32) -> i32 loc(#loc810)
      "t.call"(%158) {callee = @f82} : (i32) -> () loc(#loc811)
    }) {sym_name = "f81"} : () -> () loc(#loc808)
    "t.func"() ({
    ^bb0(%arg157: i32 loc("a.mlir":1016:6)):
      %157 = "t.add"(%arg157, %arg157) : (i32, i32) -> i32 loc(#loc814)
      "t.call"(%157) {callee = @f83} : (i32) -> () loc(#loc815)
    }) {sym_name = "f82"} : () -> () loc(#loc812)
    "t.func"() ({
    ^bb0(%arg156: i32 loc("a.mlir":1021:6)):
      %156 = "t.add"(%arg156, %arg156) : (i32, i32) -> i32 loc(#loc818)
      "t.call"(%156) {callee = @f84} : (i32) -> () loc(#loc819)
    }) {sym_name = "f83"} : () -> () loc(#loc816)
    "t.func"() ({
    ^bb0(%arg155: i32 loc("a.mlir":1026:6)):
      %155 = "t.add"(%arg155, %arg155) : (i32, i32) -> i32 loc(#loc822)
      "t.call"(%155) {callee = @f85} : (i32) -> () loc(#loc823)
    }) {sym_name = "f84"} : () -> () loc(#loc820)
    "t.func"() ({
    ^bb0(%arg154: i32 loc("a.mlir":1031:6)):
      %154 = "t.add"(%arg154, %arg154) : (i32, i32) -> i32 loc(#loc826)
      "t.call"(%154) {callee = @f86} : (i32) -> () loc(#loc827)
    }) {sym_name = "f85"} : () -> () loc(#loc824)
    "t.func"() ({
    ^bb0(%arg153: i32 loc("a.mlir":1036:6)):
      %153 = "t.add"(%arg153, %arg153) : (i32, i32) -> i32 loc(#loc830)
      "t.call"(%153) {callee = @f87} : (i32) -> () loc(#loc831)
    }) {sym_name = "f86"} : () -> () loc(#loc828)
    "t.func"() ({
    ^bb0(%arg152: i32 loc("a.mlir":1041:6)):
      %152 = "t.add"(%arg152, %arg152) : (i32, i32) -> i32 loc(#loc834)
      "t.call"(%152) {callee = @f88} : (i32) -> () loc(#loc835)
    }) {sym_name = "f87"} : () -> () loc(#loc832)
    "t.func"() ({
    ^bb0(%arg151: i32 loc("a.mlir":1046:6)):
      %151 = "t.add"(%arg151, %arg151) : (i32, i32) -> i32 loc(#loc838)
      "t.call"(%151) {callee = @f89} : (i32) -> () loc(#loc839)
    }) {sym_name = "f88"} : () -> () loc(#loc836)
    "t.func"() ({
    ^bb0(%arg150: i32 loc("a.mlir":1051:6)):
      %150 = "t.add"(%arg150, %arg150) : (i32, i32) -> i32 loc(#loc842)
      "t.call"(%150) {callee = @f90} : (i32) -> () loc(#loc843)
    }) {sym_name = "f89"} : () -> () loc(#loc840)
    "t.func"() ({
    ^bb0(%arg149: i32 loc("a.mlir":1056:6)):
      %149 = "t.add"(%arg149, %arg149) : (i32, i32) -> i32 loc(#loc846)
      "t.call"(%149) {callee = @f91} : (i32) -> () loc(#loc847)
    }) {sym_name = "f90"} : () -> () loc(#loc844)
    "t.func"() ({
    ^bb0(%arg148: i32 loc("a.mlir":1061:6)):
      %148 = "t.add"(%arg148, %arg148) : (i32, i32) -> i32 loc(#loc850)
      "t.call"(%148) {callee = @f92} : (i32) -> () loc(#loc851)
    }) {sym_name = "f91"} : () -> () loc(#loc848)
    "t.func"() ({
    ^bb0(%arg147: i32 loc("a.mlir":1066:6)):
      %147 = "t.add"(%arg147, %arg147) : (i32, i32) -> i32 loc(#loc854)
      "t.call"(%147) {callee = @f93} : (i32) -> () loc(#loc855)
    }) {sym_name = "f92"} : () -> () loc(#loc852)
    "t.func"() ({
    ^bb0(%arg146: i32 loc("a.mlir":1071:6)):
      %146 = "t.add"(%arg146, %arg146) : (i32, i32) -> i32 loc(#loc858)
      "t.call"(%146) {callee = @f94} : (i32) -> () loc(#loc859)
    }) {sym_name = "f93"} : () -> () loc(#loc856)
    "t.func"() ({
    ^bb0(%arg145: i32 loc("a.mlir":1076:6)):
      %145 = "t.add"(%arg145, %arg145) : (i32, i32) -> i32 loc(#loc862)
      "t.call"(%145) {callee = @f95} : (i32) -> () loc(#loc863)
    }) {sym_name = "f94"} : () -> () loc(#loc860)
    "t.func"() ({
    ^bb0(%arg144: i32 loc("a.mlir":1081:6)):
      %144 = "t.add"(%arg144, %arg144) : (i32, i32) -> i32 loc(#loc866)
      "t.call"(%144) {callee = @f96} : (i32) -> () loc(#loc867)
    }) {sym_name = "f95"} : () -> () loc(#loc864)
    "t.func"() ({
    ^bb0(%arg143: i32 loc("a.mlir":1086:6)):
      %143 = "t.add"(%arg143, %arg143) : (i32, i32) -> i32 loc(#loc870)
      "t.call"(%143) {callee = @f97} : (i32) -> () loc(#loc871)
    }) {sym_name = "f96"} : () -> () loc(#loc868)
    "t.func"() ({
    ^bb0(%arg142: i32 loc("a.mlir":1091:6)):
      %142 = "t.add"(%arg142, %arg142) : (i32, i32) -> i32 loc(#loc874)
      "t.call"(%142) {callee = @f98} : (i32) -> () loc(#loc875)
    }) {sym_name = "f97"} : () -> () loc(#loc872)
    "t.func"() ({
    ^bb0(%arg141: i32 loc("a.mlir":1096:6)):
      %141 = "t.add"(%arg141, %arg141) : (i32, i32) -> i32 loc(#loc878)
      "t.call"(%141) {callee = @f99} : (i32) -> () loc(#loc879)
    }) {sym_name = "f98"} : () -> () loc(#loc876)
    "t.func"() ({
    ^bb0(%arg140: i32 loc("a.mlir":1101:6)):
      %140 = "t.add"(%arg140, %arg140) : (i32, i32) -> i32 loc(#loc882)
      "t.call"(%140) {callee = @f100} : (i32) -> () loc(#loc883)
    }) {sym_name = "f99"} : () -> () loc(#loc880)
    "t.func"() ({
    ^bb0(%arg139: i32 loc("a.mlir":1106:6)):
      %139 = "t.add"(%arg139, %arg139) : (i32, i32) -> i32 loc(#loc886)
      "t.call"(%139) {callee = @f101} : (i32) -> () loc(#loc887)
    }) {sym_name = "f100"} : () -> () loc(#loc884)
    "t.func"() ({
    ^bb0(%arg138: i32 loc("a.mlir":1111:6)):
      %138 = "t.add"(%arg138, %arg138) : (i32, i32) -> i32 loc(#loc890)
      "t.call"(%138) {callee = @f102} : (i32) -> () loc(#loc891)
    }) {sym_name = "f101"} : () -> () loc(#loc888)
    "t.func"() ({
    ^bb0(%arg137: i32 loc("a.mlir":1116:6)):
      %137 = "t.add"(%arg137, %arg137) : (i32, i32) -> i32 loc(#loc894)
      "t.call"(%137) {callee = @f103} : (i32) -> () loc(#loc895)
    }) {sym_name = "f102"} : () -> () loc(#loc892)
    "t.func"() ({
    ^bb0(%arg136: i32 loc("a.mlir":1121:6)):
      %136 = "t.add"(%arg136, %arg136) : (i32, i32) -> i32 loc(#loc898)
      "t.call"(%136) {callee = @f104} : (i32) -> () loc(#loc899)
    }) {sym_name = "f103"} : () -> () loc(#loc896)
    "t.func"() ({
    ^bb0(%arg135: i32 loc("a.mlir":1126:6)):
      %135 = "t.add"(%arg135, %arg135) : (i32, i32) -> i32 loc(#loc902)
      "t.call"(%135) {callee = @f105} : (i32) -> () loc(#loc903)
    }) {sym_name = "f104"} : () -> () loc(#loc900)
    "t.func"() ({
    ^bb0(%arg134: i32 loc("a.mlir":1131:6)):
      %134 = "t.add"(%arg134, %arg134) : (i32, i32) -> i32 loc(#loc906)
      "t.call"(%134) {callee = @f106} : (i32) -> () loc(#loc907)
    }) {sym_name = "f105"} : () -> () loc(#loc904)
    "t.func"() ({
    ^bb0(%arg133: i32 loc("a.mlir":1136:6)):
      %133 = "t.add"(%arg133, %arg133) : (i32, i32) -> i32 loc(#loc910)
      "t.call"(%133) {callee = @f107} : (i32) -> () loc(#loc911)
    }) {sym_name = "f106"} : () -> () loc(#loc908)
    "t.func"() ({
    ^bb0(%arg132: i32 loc("a.mlir":1141:6)):
      %132 = "t.add"(%arg132, %arg132) : (i32, i32) -> i32 loc(#loc914)
      "t.call"(%132) {callee = @f108} : (i32) -> () loc(#loc915)
    }) {sym_name = "f107"} : () -> () loc(#loc912)
    "t.func"() ({
    ^bb0(%arg131: i32 loc("a.mlir":1146:6)):
      %131 = "t.add"(%arg131, %arg131) : (i32, i32) -> i32 loc(#loc918)
      "t.call"(%131) {callee = @f109} : (i32) -> () loc(#loc919)
    }) {sym_name = "f108"} : () -> () loc(#loc916)
    "t.func"() ({
    ^bb0(%arg130: i32 loc("a.mlir":1151:6)):
      %130 = "t.add"(%arg130, %arg130) : (i32, i32) -> i32 loc(#loc922)
      "t.call"(%130) {callee = @f110} : (i32) -> () loc(#loc923)
    }) {sym_name = "f109"} : () -> () loc(#loc920)
    "t.func"() ({
    ^bb0(%arg129: i32 loc("a.mlir":1156:6)):
      %129 = "t.add"(%arg129, %arg129) : (i32, i32) -> i32 loc(#loc926)
      "t.call"(%129) {callee = @f111} : (i32) -> () loc(#loc927)
    }) {sym_name = "f110"} : () -> () loc(#loc924)
    "t.func"() ({
    ^bb0(%arg128: i32 loc("a.mlir":1161:6)):
      %128 = "t.add"(%arg128, %arg128) : (i32, i32) -> i32 loc(#loc930)
      "t.call"(%128) {callee = @f112} : (i32) -> () loc(#loc931)
    }) {sym_name = "f111"} : () -> () loc(#loc928)
    "t.func"() ({
    ^bb0(%arg127: i32 loc("a.mlir":1166:6)):
      %127 = "t.add"(%arg127, %arg127) : (i32, i32) -> i32 loc(#loc934)
      "t.call"(%127) {callee = @f113} : (i32) -> () loc(#loc935)
    }) {sym_name = "f112"} : () -> () loc(#loc932)
    "t.func"() ({
    ^bb0(%arg126: i32 loc("a.mlir":1171:6)):
      %126 = "t.add"(%arg126, %arg126) : (i32, i32) -> i32 loc(#loc938)
      "t.call"(%126) {callee = @f114} : (i32) -> () loc(#loc939)
    }) {sym_name = "f113"} : () -> () loc(#loc936)
    "t.func"() ({
    ^bb0(%arg125: i32 loc("a.mlir":1176:6)):
      %125 = "t.add"(%arg125, %arg125) : (i32, i32) -> i32 loc(#loc942)
      "t.call"(%125) {callee = @f115} : (i32) -> () loc(#loc943)
    }) {sym_name = "f114"} : () -> () loc(#loc940)
    "t.func"() ({
    ^bb0(%arg124: i32 loc("a.mlir":1181:6)):
      %124 = "t.add"(%arg124, %arg124) : (i32, i32) -> i32 loc(#loc946)
      "t.call"(%124) {callee = @f116} : (i32) -> () loc(#loc947)
    }) {sym_name = "f115"} : () -> () loc(#loc944)
    "t.func"() ({
    ^bb0(%arg123: i32 loc("a.mlir":1186:6)):
      %123 = "t.add"(%arg123, %arg123) : (i32, i32) -> i32 loc(#loc950)
      "t.call"(%123) {callee = @f117} : (i32) -> () loc(#loc951)
    }) {sym_name = "f116"} : () -> () loc(#loc948)
    "t.func"() ({
    ^bb0(%arg122: i32 loc("a.mlir":1191:6)):
      %122 = "t.add"(%arg122, %arg122) : (i32, i32) -> i32 loc(#loc954)
      "t.call"(%122) {callee = @f118} : (i32) -> () loc(#loc955)
    }) {sym_name = "f117"} : () -> () loc(#loc952)
    "t.func"() ({
    ^bb0(%arg121: i32 loc("a.mlir":1196:6)):
      %121 = "t.add"(%arg121, %arg121) : (i32, i32) -> i32 loc(#loc958)
      "t.call"(%121) {callee = @f119} : (i32) -> () loc(#loc959)
    }) {sym_name = "f118"} : () -> () loc(#loc956)
    "t.func"() ({
    ^bb0(%arg120: i32 loc("a.mlir":1201:6)):
      %120 = "t.add"(%arg120, %arg120) : (i32, i32) -> i32 loc(#loc962)
      "t.call"(%120) {callee = @f0} : (i32) -> () loc(#loc963)
    }) {sym_name = "f119"} : () -> () loc(#loc960)
  }) {sym_name = "m1"} : () -> () loc(#loc483)
  "t.op"() : () -> () loc(#loc964)
  "t.module"() ({
    "t.func"() ({
    ^bb0(%arg119: i32 loc("a.mlir":1209:6)):
      %119 = "t.add"(%arg119, %arg119) : (i32, i32) -> i32 loc(#loc968)
      "t.call"(%119) {callee = @f1} : (i32) -> () loc(#loc969)
    }) {sym_name = "f0"} : () -> () loc(#loc966)
    "t.func"() ({
    ^bb0(%arg118: i32 loc("a.mlir":1214:6)):
      %118 = "t.add"(%arg118, %arg118) : (i32, i32) -> i32 loc(#loc972)
      "t.call"(%118) {callee = @f2} : (i32) -> () loc(#loc973)
    }) {sym_name = "f1"} : () -> () loc(#loc970)
    "t.func"() ({
    ^bb0(%arg117: i32 loc("a.mlir":1219:6)):
      %117 = "t.add"(%arg117, %arg117) : (i32, i32) -> i32 loc(#loc976)
      "t.call"(%117) {callee = @f3} : (i32) -> () loc(#loc977)
    }) {sym_name = "f2"} : () -> () loc(#loc974)
    "t.func"() ({
    ^bb0(%arg116: i32 loc("a.mlir":1224:6)):
      %116 = "t.add"(%arg116, %arg116) : (i32, i32) -> i32 loc(#loc980)
      "t.call"(%116) {callee = @f4} : (i32) -> () loc(#loc981)
    }) {sym_name = "f3"} : () -> () loc(#loc978)
    "t.func"() ({
    ^bb0(%arg115: i32 loc("a.mlir":1229:6)):
      %115 = "t.add"(%arg115, %arg115) : (i32, i32) -> i32 loc(#loc984)
      "t.call"(%115) {callee = @f5} : (i32) -> () loc(#loc985)
    }) {sym_name = "f4"} : () -> () loc(#loc982)
    "t.func"() ({
    ^bb0(%arg114: i32 loc("a.mlir":1234:6)):
      %114 = "t.add"(%arg114, %arg114) : (i32, i32) -> i32 loc(#loc988)
      "t.call"(%114) {callee = @f6} : (i32) -> () loc(#loc989)
    }) {sym_name = "f5"} : () -> () loc(#loc986)
    "t.func"() ({
    ^bb0(%arg113: i32 loc("a.mlir":1239:6)):
      %113 = "t.add"(%arg113, %arg113) : (i32, i32) -> i32 loc(#loc992)
      "t.call"(%113) {callee = @f7} : (i32) -> () loc(#loc993)
    }) {sym_name = "f6"} : () -> () loc(#loc990)
    "t.func"() ({
    ^bb0(%arg112: i32 loc("a.mlir":1244:6)):
      %112 = "t.add"(%arg112, %arg112) : (i32, i32) -> i32 loc(#loc996)
      "t.call"(%112) {callee = @f8} : (i32) -> () loc(#loc997)
    }) {sym_name = "f7"} : () -> () loc(#loc994)
    "t.func"() ({
    ^bb0(%arg111: i32 loc("a.mlir":1249:6)):
      %111 = "t.add"(%arg111, %arg111) : (i32, i32) -> i32 loc(#loc1000)
      "t.call"(%111) {callee = @f9} : (i32) -> () loc(#loc1001)
    }) {sym_name = "f8"} : () -> () loc(#loc998)
    "t.func"() ({
    ^bb0(%arg110: i32 loc("a.mlir":1254:6)):
      %110 = "t.add"(%arg110, %arg110) : (i32, i32) -> i32 loc(#loc1004)
      "t.call"(%110) {callee = @f10} : (i32) -> () loc(#loc1005)
    }) {sym_name = "f9"} : () -> () loc(#loc1002)
    "t.func"() ({
    ^bb0(%arg109: i32 loc("a.mlir":1259:6)):
      %109 = "t.add"(%arg109, %arg109) : (i32, i32) -> i32 loc(#loc1008)
      "t.call"(%109) {callee = @f11} : (i32) -> () loc(#loc1009)
    }) {sym_name = "f10"} : () -> () loc(#loc1006)
    "t.func"() ({
    ^bb0(%arg108: i32 loc("a.mlir":1264:6)):
      %108 = "t.add"(%arg108, %arg108) : (i32, i32) -> i32 loc(#loc1012)
      "t.call"(%108) {callee = @f12} : (i32) -> () loc(#loc1013)
    }) {sym_name = "f11"} : () -> () loc(#loc1010)
    "t.func"() ({
    ^bb0(%arg107: i32 loc("a.mlir":1269:6)):
      %107 = "t.add"(%arg107, %arg107) : (i32, i32) -> i32 loc(#loc1016)
      "t.call"(%107) {callee = @f13} : (i32) -> () loc(#loc1017)
    }) {sym_name = "f12"} : () -> () loc(#loc1014)
    "t.func"() ({
    ^bb0(%arg106: i32 loc("a.mlir":1274:6)):
      %106 = "t.add"(%arg106, %arg106) : (i32, i32) -> i32 loc(#loc1020)
      "t.call"(%106) {callee = @f14} : (i32) -> () loc(#loc1021)
    }) {sym_name = "f13"} : () -> () loc(#loc1018)
    "t.func"() ({
    ^bb0(%arg105: i32 loc("a.mlir":1279:6)):
      %105 = "t.add"(%arg105, %arg105) : (i32, i32) -> i32 loc(#loc1024)
      "t.call"(%105) {callee = @f15} : (i32) -> () loc(#loc1025)
    }) {sym_name = "f14"} : () -> () loc(#loc1022)
    "t.func"() ({
    ^bb0(%arg104: i32 loc("a.mlir":1284:6)):
      %104 = "t.add"(%arg104, %arg104) : (i32, i32) -> i32 loc(#loc1028)
      "t.call"(%104) {callee = @f16} : (i32) -> () loc(#loc1029)
    }) {sym_name = "f15"} : () -> () loc(#loc1026)
    "t.func"() ({
    ^bb0(%arg103: i32 loc("a.mlir":1289:6)):
      %103 = "t.add"(%arg103, %arg103) : (i32, i32) -> i32 loc(#loc1032)
      "t.call"(%103) {callee = @f17} : (i32) -> () loc(#loc1033)
    }) {sym_name = "f16"} : () -> () loc(#loc1030)
    "t.func"() ({
    ^bb0(%arg102: i32 loc("a.mlir":1294:6)):
      %102 = "t.add"(%arg102, %arg102) : (i32, i32) -> i32 loc(#loc1036)
      "t.call"(%102) {callee = @f18} : (i32) -> () loc(#loc1037)
    }) {sym_name = "f17"} : () -> () loc(#loc1034)
    "t.func"() ({
    ^bb0(%arg101: i32 loc("a.mlir":1299:6)):
      %101 = "t.add"(%arg101, %arg101) : (i32, i32) -> i32 loc(#loc1040)
      "t.call"(%101) {callee = @f19} : (i32) -> () loc(#loc1041)
    }) {sym_name = "f18"} : () -> () loc(#loc1038)
    "t.func"() ({
    ^bb0(%arg100: i32 loc("a.mlir":1304:6)):
      %100 = "t.add"(%arg100, %arg100) : (i32, i32) -> i32 loc(#loc1044)
      "t.call"(%100) {callee = @f20} : (i32) -> () loc(#loc1045)
    }) {sym_name = "f19"} : () -> () loc(#loc1042)
    "t.func"() ({
    ^bb0(%arg99: i32 loc("a.mlir":1309:6)):
      %99 = "t.add"(%arg99, %arg99) : (i32, i32) -> i32 loc(#loc1048)
      "t.call"(%99) {callee = @f21} : (i32) -> () loc(#loc1049)
    }) {sym_name = "f20"} : () -> () loc(#loc1046)
    "t.func"() ({
    ^bb0(%arg98: i32 loc("a.mlir":1314:6)):
      %98 = "t.add"(%arg98, %arg98) : (i32, i32) -> i32 loc(#loc1052)
      "t.call"(%98) {callee = @f22} : (i32) -> () loc(#loc1053)
    }) {sym_name = "f21"} : () -> () loc(#loc1050)
    "t.func"() ({
    ^bb0(%arg97: i32 loc("a.mlir":1319:6)):
      %97 = "t.add"(%arg97, %arg97) : (i32, i32) -> i32 loc(#loc1056)
      "t.call"(%97) {callee = @f23} : (i32) -> () loc(#loc1057)
    }) {sym_name = "f22"} : () -> () loc(#loc1054)
    "t.func"() ({
    ^bb0(%arg96: i32 loc("a.mlir":1324:6)):
      %96 = "t.add"(%arg96, %arg96) : (i32, i32) -> i32 loc(#loc1060)
      "t.call"(%96) {callee = @f24} : (i32) -> () loc(#loc1061)
    }) {sym_name = "f23"} : () -> () loc(#loc1058)
    "t.func"() ({
    ^bb0(%arg95: i32 loc("a.mlir":1329:6)):
      %95 = "t.add"(%arg95, %arg95) : (i32, i32) -> i32 loc(#loc1064)
      "t.call"(%95) {callee = @f25} : (i32) -> () loc(#loc1065)
    }) {sym_name = "f24"} : () -> () loc(#loc1062)
    "t.func"() ({
    ^bb0(%arg94: i32 loc("a.mlir":1334:6)):
      %94 = "t.add"(%arg94, %arg94) : (i32, i32) -> i32 loc(#loc1068)
      "t.call"(%94) {callee = @f26} : (i32) -> () loc(#loc1069)
    }) {sym_name = "f25"} : () -> () loc(#loc1066)
    "t.func"() ({
    ^bb0(%arg93: i32 loc("a.mlir":1339:6)):
      %93 = "t.add"(%arg93, %arg93) : (i32, i32) -> i32 loc(#loc1072)
      "t.call"(%93) {callee = @f27} : (i32) -> () loc(#loc1073)
    }) {sym_name = "f26"} : () -> () loc(#loc1070)
    "t.func"() ({
    ^bb0(%arg92: i32 loc("a.mlir":1344:6)):
      %92 = "t.add"(%arg92, %arg92) : (i32, i32) -> i32 loc(#loc1076)
      "t.call"(%92) {callee = @f28} : (i32) -> () loc(#loc1077)
    }) {sym_name = "f27"} : () -> () loc(#loc1074)
    "t.func"() ({
    ^bb0(%arg91: i32 loc("a.mlir":1349:6)):
      %91 = "t.add"(%arg91, %arg91) : (i32, i32) -> i32 loc(#loc1080)
      "t.call"(%91) {callee = @f29} : (i32) -> () loc(#loc1081)
    }) {sym_name = "f28"} : () -> () loc(#loc1078)
    "t.func"() ({
    ^bb0(%arg90: i32 loc("a.mlir":1354:6)):
      %90 = "t.add"(%arg90, %arg90) : (i32, i32) -> i32 loc(#loc1084)
      "t.call"(%90) {callee = @f30} : (i32) -> () loc(#loc1085)
    }) {sym_name = "f29"} : () -> () loc(#loc1082)
    "t.func"() ({
    ^bb0(%arg89: i32 loc("a.mlir":1359:6)):
      %89 = "t.add"(%arg89, %arg89) : (i32, i32) -> i32 loc(#loc1088)
      "t.call"(%89) {callee = @f31} : (i32) -> () loc(#loc1089)
    }) {sym_name = "f30"} : () -> () loc(#loc1086)
    "t.func"() ({
    ^bb0(%arg88: i32 loc("a.mlir":1364:6)):
      %88 = "t.add"(%arg88, %arg88) : (i32, i32) -> i32 loc(#loc1092)
      "t.call"(%88) {callee = @f32} : (i32) -> () loc(#loc1093)
    }) {sym_name = "f31"} : () -> () loc(#loc1090)
    "t.func"() ({
    ^bb0(%arg87: i32 loc("a.mlir":1369:6)):
      %87 = "t.add"(%arg87, %arg87) : (i32, i32) -> i32 loc(#loc1096)
      "t.call"(%87) {callee = @f33} : (i32) -> () loc(#loc1097)
    }) {sym_name = "f32"} : () -> () loc(#loc1094)
    "t.func"() ({
    ^bb0(%arg86: i32 loc("a.mlir":1374:6)):
      %86 = "t.add"(%arg86, %arg86) : (i32, i32) -> i32 loc(#loc1100)
      "t.call"(%86) {callee = @f34} : (i32) -> () loc(#loc1101)
    }) {sym_name = "f33"} : () -> () loc(#loc1098)
    "t.func"() ({
    ^bb0(%arg85: i32 loc("a.mlir":1379:6)):
      %85 = "t.add"(%arg85, %arg85) : (i32, i32) -> i32 loc(#loc1104)
      "t.call"(%85) {callee = @f35} : (i32) -> () loc(#loc1105)
    }) {sym_name = "f34"} : () -> () loc(#loc1102)
    "t.func"() ({
    ^bb0(%arg84: i32 loc("a.mlir":1384:6)):
      %84 = "t.add"(%arg84, %arg84) : (i32, i32) -> i32 loc(#loc1108)
      "t.call"(%84) {callee = @f36} : (i32) -> () loc(#loc1109)
    }) {sym_name = "f35"} : () -> () loc(#loc1106)
    "t.func"() ({
    ^bb0(%arg83: i32 loc("a.mlir":1389:6)):
      %83 = "t.add"(%arg83, %arg83) : (i32, i32) -> i32 loc(#loc1112)
      "t.call"(%83) {callee = @f37} : (i32) -> () loc(#loc1113)
    }) {sym_name = "f36"} : () -> () loc(#loc1110)
    "t.func"() ({
    ^bb0(%arg82: i32 loc("a.mlir":1394:6)):
      %82 = "t.add"(%arg82, %arg82) : (i32, i32) -> i32 loc(#loc1116)
      "t.call"(%82) {callee = @f38} : (i32) -> () loc(#loc1117)
    }) {sym_name = "f37"} : () -> () loc(#loc1114)
    "t.func"() ({
    ^bb0(%arg81: i32 loc("a.mlir":1399:6)):
      %81 = "t.add"(%arg81, %arg81) : (i32, i32) -> i32 loc(#loc1120)
      "t.call"(%81) {callee = @f39} : (i32) -> () loc(#loc1121)
    }) {sym_name = "f38"} : () -> () loc(#loc1118)
    "t.func"() ({
    ^bb0(%arg80: i32 loc("a.mlir":1404:6)):
      %80 = "t.add"(%arg80, %arg80) : (i32, i32) -> i32 loc(#loc1124)
      "t.call"(%80) {callee = @f40} : (i32) -> () loc(#loc1125)
    }) {sym_name = "f39"} : () -> () loc(#loc1122)
    "t.func"() ({
    ^bb0(%arg79: i32 loc("a.mlir":1409:6)):
      %79 = "t.add"(%arg79, %arg79) : (i32, i32) -> i32 loc(#loc1128)
      "t.call"(%79) {callee = @f41} : (i32) -> () loc(#loc1129)
    }) {sym_name = "f40"} : () -> () loc(#loc1126)
    "t.func"() ({
    ^bb0(%arg78: i32 loc("a.mlir":1414:6)):
      %78 = "t.add"(%arg78, %arg78) : (i32, i32) -> i32 loc(#loc1132)
      "t.call"(%78) {callee = @f42} : (i32) -> () loc(#loc1133)
    }) {sym_name = "f41"} : () -> () loc(#loc1130)
    "t.func"() ({
    ^bb0(%arg77: i32 loc("a.mlir":1419:6)):
      %77 = "t.add"(%arg77, %arg77) : (i32, i32) -> i32 loc(#loc1136)
      "t.call"(%77) {callee = @f43} : (i32) -> () loc(#loc1137)
    }) {sym_name = "f42"} : () -> () loc(#loc1134)
    "t.func"() ({
    ^bb0(%arg76: i32 loc("a.mlir":1424:6)):
      %76 = "t.add"(%arg76, %arg76) : (i32, i32) -> i32 loc(#loc1140)
      "t.call"(%76) {callee = @f44} : (i32) -> () loc(#loc1141)
    }) {sym_name = "f43"} : () -> () loc(#loc1138)
    "t.func"() ({
    ^bb0(%arg75: i32 loc("a.mlir":1429:6)):
      %75 = "t.add"(%arg75, %arg75) : (i32, i32) -> i32 loc(#loc1144)
      "t.call"(%75) {callee = @f45} : (i32) -> () loc(#loc1145)
    }) {sym_name = "f44"} : () -> () loc(#loc1142)
    "t.func"() ({
    ^bb0(%arg74: i32 loc("a.mlir":1434:6)):
      %74 = "t.add"(%arg74, %arg74) : (i32, i32) -> i32 loc(#loc1148)
      "t.call"(%74) {callee = @f46} : (i32) -> () loc(#loc1149)
    }) {sym_name = "f45"} : () -> () loc(#loc1146)
    "t.func"() ({
    ^bb0(%arg73: i32 loc("a.mlir":1439:6)):
      %73 = "t.add"(%arg73, %arg73) : (i32, i32) -> i32 loc(#loc1152)
      "t.call"(%73) {callee = @f47} : (i32) -> () loc(#loc1153)
    }) {sym_name = "f46"} : () -> () loc(#loc1150)
    "t.func"() ({
    ^bb0(%arg72: i32 loc("a.mlir":1444:6)):
      %72 = "t.add"(%arg72, %arg72) : (i32, i32) -> i32 loc(#loc1156)
      "t.call"(%72) {callee = @f48} : (i32) -> () loc(#loc1157)
    }) {sym_name = "f47"} : () -> () loc(#loc1154)
    "t.func"() ({
    ^bb0(%arg71: i32 loc("a.mlir":1449:6)):
      %71 = "t.add"(%arg71, %arg71) : (i32, i32) -> i32 loc(#loc1160)
      "t.call"(%71) {callee = @f49} : (i32) -> () loc(#loc1161)
    }) {sym_name = "f48"} : () -> () loc(#loc1158)
    "t.func"() ({
    ^bb0(%arg70: i32 loc("a.mlir":1454:6)):
      %70 = "t.add"(%arg70, %arg70) : (i32, i32) -> i32 loc(#loc1164)
      "t.call"(%70) {callee = @f50} : (i32) -> () loc(#loc1165)
    }) {sym_name = "f49"} : () -> () loc(#loc1162)
    "t.func"() ({
    ^bb0(%arg69: i32 loc("a.mlir":1459:6)):
      %69 = "t.add"(%arg69, %arg69) : (i32, i32) -> i32 loc(#loc1168)
      "t.call"(%69) {callee = @f51} : (i32) -> () loc(#loc1169)
    }) {sym_name = "f50"} : () -> () loc(#loc1166)
    "t.func"() ({
    ^bb0(%arg68: i32 loc("a.mlir":1464:6)):
      %68 = "t.add"(%arg68, %arg68) : (i32, i32) -> i32 loc(#loc1172)
      "t.call"(%68) {callee = @f52} : (i32) -> () loc(#loc1173)
    }) {sym_name = "f51"} : () -> () loc(#loc1170)
    "t.func"() ({
    ^bb0(%arg67: i32 loc("a.mlir":1469:6)):
      %67 = "t.add"(%arg67, %arg67) : (i32, i32) -> i32 loc(#loc1176)
      "t.call"(%67) {callee = @f53} : (i32) -> () loc(#loc1177)
    }) {sym_name = "f52"} : () -> () loc(#loc1174)
    "t.func"() ({
    ^bb0(%arg66: i32 loc("a.mlir":1474:6)):
      %66 = "t.add"(%arg66, %arg66) : (i32, i32) -> i32 loc(#loc1180)
      "t.call"(%66) {callee = @f54} : (i32) -> () loc(#loc1181)
    }) {sym_name = "f53"} : () -> () loc(#loc1178)
    "t.func"() ({
    ^bb0(%arg65: i32 loc("a.mlir":1479:6)):
      %65 = "t.add"(%arg65, %arg65) : (i32, i32) -> i32 loc(#loc1184)
      "t.call"(%65) {callee = @f55} : (i32) -> () loc(#loc1185)
    }) {sym_name = "f54"} : () -> () loc(#loc1182)
    "t.func"() ({
    ^bb0(%arg64: i32 loc("a.mlir":1484:6)):
      %64 = "t.add"(%arg64, %arg64) : (i32, i32) -> i32 loc(#loc1188)
      "t.call"(%64) {callee = @f56} : (i32) -> () loc(#loc1189)
    }) {sym_name = "f55"} : () -> () loc(#loc1186)
    "t.func"() ({
    ^bb0(%arg63: i32 loc("a.mlir":1489:6)):
      %63 = "t.add"(%arg63, %arg63) : (i32, i32) -> i32 loc(#loc1192)
      "t.call"(%63) {callee = @f57} : (i32) -> () loc(#loc1193)
    }) {sym_name = "f56"} : () -> () loc(#loc1190)
    "t.func"() ({
    ^bb0(%arg62: i32 loc("a.mlir":1494:6)):
      %62 = "t.add"(%arg62, %arg62) : (i32, i32) -> i32 loc(#loc1196)
      "t.call"(%62) {callee = @f58} : (i32) -> () loc(#loc1197)
    }) {sym_name = "f57"} : () -> () loc(#loc1194)
    "t.func"() ({
    ^bb0(%arg61: i32 loc("a.mlir":1499:6)):
      %61 = "t.add"(%arg61, %arg61) : (i32, i32) -> i32 loc(#loc1200)
      "t.call"(%61) {callee = @f59} : (i32) -> () loc(#loc1201)
    }) {sym_name = "f58"} : () -> () loc(#loc1198)
    "t.func"() ({
    ^bb0(%arg60: i32 loc("a.mlir":1504:6)):
      %60 = "t.add"(%arg60, %arg60) : (i32, i32) -> i32 loc(#loc1204)
      "t.call"(%60) {callee = @f60} : (i32) -> () loc(#loc1205)
    }) {sym_name = "f59"} : () -> () loc(#loc1202)
    "t.func"() ({
    ^bb0(%arg59: i32 loc("a.mlir":1509:6)):
      %59 = "t.add"(%arg59, %arg59) : (i32, i32) -> i32 loc(#loc1208)
      "t.call"(%59) {callee = @f61} : (i32) -> () loc(#loc1209)
    }) {sym_name = "f60"} : () -> () loc(#loc1206)
    "t.func"() ({
    ^bb0(%arg58: i32 loc("a.mlir":1514:6)):
      %58 = "t.add"(%arg58, %arg58) : (i32, i32) -> i32 loc(#loc1212)
      "t.call"(%58) {callee = @f62} : (i32) -> () loc(#loc1213)
    }) {sym_name = "f61"} : () -> () loc(#loc1210)
    "t.func"() ({
    ^bb0(%arg57: i32 loc("a.mlir":1519:6)):
      %57 = "t.add"(%arg57, %arg57) : (i32, i32) -> i32 loc(#loc1216)
      "t.call"(%57) {callee = @f63} : (i32) -> () loc(#loc1217)
    }) {sym_name = "f62"} : () -> () loc(#loc1214)
    "t.func"() ({
    ^bb0(%arg56: i32 loc("a.mlir":1524:6)):
      %56 = "t.add"(%arg56, %arg56) : (i32, i32) -> i32 loc(#loc1220)
      "t.call"(%56) {callee = @f64} : (i32) -> () loc(#loc1221)
    }) {sym_name = "f63"} : () -> () loc(#loc1218)
    "t.func"() ({
    ^bb0(%arg55: i32 loc("a.mlir":1529:6)):
      %55 = "t.add"(%arg55, %arg55) : (i32, i32) -> i32 loc(#loc1224)
      "t.call"(%55) {callee = @f65} : (i32) -> () loc(#loc1225)
    }) {sym_name = "f64"} : () -> () loc(#loc1222)
    "t.func"() ({
    ^bb0(%arg54: i32 loc("a.mlir":1534:6)):
      %54 = "t.add"(%arg54, %arg54) : (i32, i32) -> i32 loc(#loc1228)
      "t.call"(%54) {callee = @f66} : (i32) -> () loc(#loc1229)
    }) {sym_name = "f65"} : () -> () loc(#loc1226)
    "t.func"() ({
    ^bb0(%arg53: i32 loc("a.mlir":1539:6)):
      %53 = "t.add"(%arg53, %arg53) : (i32, i32) -> i32 loc(#loc1232)
      "t.call"(%53) {callee = @f67} : (i32) -> () loc(#loc1233)
    }) {sym_name = "f66"} : () -> () loc(#loc1230)
    "t.func"() ({
    ^bb0(%arg52: i32 loc("a.mlir":1544:6)):
      %52 = "t.add"(%arg52, %arg52) : (i32, i32) -> i32 loc(#loc1236)
      "t.call"(%52) {callee = @f68} : (i32) -> () loc(#loc1237)
    }) {sym_name = "f67"} : () -> () loc(#loc1234)
    "t.func"() ({
    ^bb0(%arg51: i32 loc("a.mlir":1549:6)):
      %51 = "t.add"(%arg51, %arg51) : (i32, i32) -> i32 loc(#loc1240)
      "t.call"(%51) {callee = @f69} : (i32) -> () loc(#loc1241)
    }) {sym_name = "f68"} : () -> () loc(#loc1238)
    "t.func"() ({
    ^bb0(%arg50: i32 loc("a.mlir":1554:6)):
      %50 = "t.add"(%arg50, %arg50) : (i32, i32) -> i32 loc(#loc1244)
      "t.call"(%50) {callee = @f70} : (i32) -> () loc(#loc1245)
    }) {sym_name = "f69"} : () -> () loc(#loc1242)
    "t.func"() ({
    ^bb0(%arg49: i32 loc("a.mlir":1559:6)):
      %49 = "t.add"(%arg49, %arg49) : (i32, i32) -> i32 loc(#loc1248)
      "t.call"(%49) {callee = @f71} : (i32) -> () loc(#loc1249)
    }) {sym_name = "f70"} : () -> () loc(#loc1246)
    "t.func"() ({
    ^bb0(%arg48: i32 loc("a.mlir":1564:6)):
      %48 = "t.add"(%arg48, %arg48) : (i32, i32) -> i32 loc(#loc1252)
      "t.call"(%48) {callee = @f72} : (i32) -> () loc(#loc1253)
    }) {sym_name = "f71"} : () -> () loc(#loc1250)
    "t.func"() ({
    ^bb0(%arg47: i32 loc("a.mlir":1569:6)):
      %47 = "t.add"(%arg47, %arg47) : (i32, i32) -> i32 loc(#loc1256)
      "t.call"(%47) {callee = @f73} : (i32) -> () loc(#loc1257)
    }) {sym_name = "f72"} : () -> () loc(#loc1254)
    "t.func"() ({
    ^bb0(%arg46: i32 loc("a.mlir":1574:6)):
      %46 = "t.add"(%arg46, %arg46) : (i32, i32) -> i32 loc(#loc1260)
      "t.call"(%46) {callee = @f74} : (i32) -> () loc(#loc1261)
    }) {sym_name = "f73"} : () -> () loc(#loc1258)
    "t.func"() ({
    ^bb0(%arg45: i32 loc("a.mlir":1579:6)):
      %45 = "t.add"(%arg45, %arg45) : (i32, i32) -> i32 loc(#loc1264)
      "t.call"(%45) {callee = @f75} : (i32) -> () loc(#loc1265)
    }) {sym_name = "f74"} : () -> () loc(#loc1262)
    "t.func"() ({
    ^bb0(%arg44: i32 loc("a.mlir":1584:6)):
      %44 = "t.add"(%arg44, %arg44) : (i32, i32) -> i32 loc(#loc1268)
      "t.call"(%44) {callee = @f76} : (i32) -> () loc(#loc1269)
    }) {sym_name = "f75"} : () -> () loc(#loc1266)
    "t.func"() ({
    ^bb0(%arg43: i32 loc("a.mlir":1589:6)):
      %43 = "t.add"(%arg43, %arg43) : (i32, i32) -> i32 loc(#loc1272)
      "t.call"(%43) {callee = @f77} : (i32) -> () loc(#loc1273)
    }) {sym_name = "f76"} : () -> () loc(#loc1270)
    "t.func"() ({
    ^bb0(%arg42: i32 loc("a.mlir":1594:6)):
      %42 = "t.add"(%arg42, %arg42) : (i32, i32) -> i32 loc(#loc1276)
      "t.call"(%42) {callee = @f78} : (i32) -> () loc(#loc1277)
    }) {sym_name = "f77"} : () -> () loc(#loc1274)
    "t.func"() ({
    ^bb0(%arg41: i32 loc("a.mlir":1599:6)):
      %41 = "t.add"(%arg41, %arg41) : (i32, i32) -> i32 loc(#loc1280)
      "t.call"(%41) {callee = @f79} : (i32) -> () loc(#loc1281)
    }) {sym_name = "f78"} : () -> () loc(#loc1278)
    "t.func"() ({
    ^bb0(%arg40: i32 loc("a.mlir":1604:6)):
      %40 = "t.add"(%arg40, %arg40) : (i32, i32) -> i32 loc(#loc1284)
      "t.call"(%40) {callee = @f80} : (i32) -> () loc(#loc1285)
    }) {sym_name = "f79"} : () -> () loc(#loc1282)
    "t.func"() ({
    ^bb0(%arg39: i32 loc("a.mlir":1609:6)):
      %39 = "t.add"(%arg39, %arg39) : (i32, i32) -> i32 loc(#loc1288)
      "t.call"(%39) {callee = @f81} : (i32) -> () loc(#loc1289)
    }) {sym_name = "f80"} : () -> () loc(#loc1286)
    "t.func"() ({
    ^bb0(%arg38: i32 loc("a.mlir":1614:6)):
      %38 = "t.add"(%arg38, %arg38) : (i32, i32) -> i32 loc(#loc1292)
      "t.call"(%38) {callee = @f82} : (i32) -> () loc(#loc1293)
    }) {sym_name = "f81"} : () -> () loc(#loc1290)
    "t.func"() ({
    ^bb0(%arg37: i32 loc("a.mlir":1619:6)):
      %37 = "t.add"(%arg37, %arg37) : (i32, i32) -> i32 loc(#loc1296)
      "t.call"(%37) {callee = @f83} : (i32) -> () loc(#loc1297)
    }) {sym_name = "f82"} : () -> () loc(#loc1294)
    "t.func"() ({
    ^bb0(%arg36: i32 loc("a.mlir":1624:6)):
      %36 = "t.add"(%arg36, %arg36) : (i32, i32) -> i32 loc(#loc1300)
      "t.call"(%36) {callee = @f84} : (i32) -> () loc(#loc1301)
    }) {sym_name = "f83"} : () -> () loc(#loc1298)
    "t.func"() ({
    ^bb0(%arg35: i32 loc("a.mlir":1629:6)):
      %35 = "t.add"(%arg35, %arg35) : (i32, i32) -> i32 loc(#loc1304)
      "t.call"(%35) {callee = @f85} : (i32) -> () loc(#loc1305)
    }) {sym_name = "f84"} : () -> () loc(#loc1302)
    "t.func"() ({
    ^bb0(%arg34: i32 loc("a.mlir":1634:6)):
      %34 = "t.add"(%arg34, %arg34) : (i32, i32) -> i32 loc(#loc1308)
      "t.call"(%34) {callee = @f86} : (i32) -> () loc(#loc1309)
    }) {sym_name = "f85"} : () -> () loc(#loc1306)
    "t.func"() ({
    ^bb0(%arg33: i32 loc("a.mlir":1639:6)):
      %33 = "t.add"(%arg33, %arg33) : (i32, i32) -> i32 loc(#loc1312)
      "t.call"(%33) {callee = @f87} : (i32) -> () loc(#loc1313)
    }) {sym_name = "f86"} : () -> () loc(#loc1310)
    "t.func"() ({
    ^bb0(%arg32: i32 loc("a.mlir":1644:6)):
      %32 = "t.add"(%arg32, %arg32) : (i32, i32) -> i32 loc(#loc1316)
      "t.call"(%32) {callee = @f88} : (i32) -> () loc(#loc1317)
    }) {sym_name = "f87"} : () -> () loc(#loc1314)
    "t.func"() ({
    ^bb0(%arg31: i32 loc("a.mlir":1649:6)):
      %31 = "t.add"(%arg31, %arg31) : (i32, i32) -> i32 loc(#loc1320)
      "t.call"(%31) {callee = @f89} : (i32) -> () loc(#loc1321)
    }) {sym_name = "f88"} : () -> () loc(#loc1318)
    "t.func"() ({
    ^bb0(%arg30: i32 loc("a.mlir":1654:6)):
      %30 = "t.add"(%arg30, %arg30) : (i32, i32) -> i32 loc(#loc1324)
      "t.call"(%30) {callee = @f90} : (i32) -> () loc(#loc1325)
    }) {sym_name = "f89"} : () -> () loc(#loc1322)
    "t.func"() ({
    ^bb0(%arg29: i32 loc("a.mlir":1659:6)):
      %29 = "t.add"(%arg29, %arg29) : (i32, i32) -> i32 loc(#loc1328)
      "t.call"(%29) {callee = @f91} : (i32) -> () loc(#loc1329)
    }) {sym_name = "f90"} : () -> () loc(#loc1326)
    "t.func"() ({
    ^bb0(%arg28: i32 loc("a.mlir":1664:6)):
      %28 = "t.add"(%arg28, %arg28) : (i32, i32) -> i32 loc(#loc1332)
      "t.call"(%28) {callee = @f92} : (i32) -> () loc(#loc1333)
    }) {sym_name = "f91"} : () -> () loc(#loc1330)
    "t.func"() ({
    ^bb0(%arg27: i32 loc("a.mlir":1669:6)):
      %27 = "t.add"(%arg27, %arg27) : (i32, i32) -> i32 loc(#loc1336)
      "t.call"(%27) {callee = @f93} : (i32) -> () loc(#loc1337)
    }) {sym_name = "f92"} : () -> () loc(#loc1334)
    "t.func"() ({
    ^bb0(%arg26: i32 loc("a.mlir":1674:6)):
      %26 = "t.add"(%arg26, %arg26) : (i32, i32) -> i32 loc(#loc1340)
      "t.call"(%26) {callee = @f94} : (i32) -> () loc(#loc1341)
    }) {sym_name = "f93"} : () -> () loc(#loc1338)
    "t.func"() ({
    ^bb0(%arg25: i32 loc("a.mlir":1679:6)):
      %25 = "t.add"(%arg25, %arg25) : (i32, i32) -> i32 loc(#loc1344)
      "t.call"(%25) {callee = @f95} : (i32) -> () loc(#loc1345)
    }) {sym_name = "f94"} : () -> () loc(#loc1342)
    "t.func"() ({
    ^bb0(%arg24: i32 loc("a.mlir":1684:6)):
      %24 = "t.add"(%arg24, %arg24) : (i32, i32) -> i32 loc(#loc1348)
      "t.call"(%24) {callee = @f96} : (i32) -> () loc(#loc1349)
    }) {sym_name = "f95"} : () -> () loc(#loc1346)
    "t.func"() ({
    ^bb0(%arg23: i32 loc("a.mlir":1689:6)):
      %23 = "t.add"(%arg23, %arg23) : (i32, i32) -> i32 loc(#loc1352)
      "t.call"(%23) {callee = @f97} : (i32) -> () loc(#loc1353)
    }) {sym_name = "f96"} : () -> () loc(#loc1350)
    "t.func"() ({
    ^bb0(%arg22: i32 loc("a.mlir":1694:6)):
      %22 = "t.add"(%arg22, %arg22) : (i32, i32) -> i32 loc(#loc1356)
      "t.call"(%22) {callee = @f98} : (i32) -> () loc(#loc1357)
    }) {sym_name = "f97"} : () -> () loc(#loc1354)
    "t.func"() ({
    ^bb0(%arg21: i32 loc("a.mlir":1699:6)):
      %21 = "t.add"(%arg21, %arg21) : (i32, i32) -> i32 loc(#loc1360)
      "t.call"(%21) {callee = @f99} : (i32) -> () loc(#loc1361)
    }) {sym_name = "f98"} : () -> () loc(#loc1358)
    "t.func"() ({
    ^bb0(%arg20: i32 loc("a.mlir":1704:6)):
      %20 = "t.add"(%arg20, %arg20) : (i32, i32) -> i32 loc(#loc1364)
      "t.call"(%20) {callee = @f100} : (i32) -> () loc(#loc1365)
    }) {sym_name = "f99"} : () -> () loc(#loc1362)
    "t.func"() ({
    ^bb0(%arg19: i32 loc("a.mlir":1709:6)):
      %19 = "t.add"(%arg19, %arg19) : (i32, i32) -> i32 loc(#loc1368)
      "t.call"(%19) {callee = @f101} : (i32) -> () loc(#loc1369)
    }) {sym_name = "f100"} : () -> () loc(#loc1366)
    "t.func"() ({
    ^bb0(%arg18: i32 loc("a.mlir":1714:6)):
      %18 = "t.add"(%arg18, %arg18) : (i32, i32) -> i32 loc(#loc1372)
      "t.call"(%18) {callee = @f102} : (i32) -> () loc(#loc1373)
    }) {sym_name = "f101"} : () -> () loc(#loc1370)
    "t.func"() ({
    ^bb0(%arg17: i32 loc("a.mlir":1719:6)):
      %17 = "t.add"(%arg17, %arg17) : (i32, i32) -> i32 loc(#loc1376)
      "t.call"(%17) {callee = @f103} : (i32) -> () loc(#loc1377)
    }) {sym_name = "f102"} : () -> () loc(#loc1374)
    "t.func"() ({
    ^bb0(%arg16: i32 loc("a.mlir":1724:6)):
      %16 = "t.add"(%arg16, %arg16) : (i32, i32) -> i32 loc(#loc1380)
      "t.call"(%16) {callee = @f104} : (i32) -> () loc(#loc1381)
    }) {sym_name = "f103"} : () -> () loc(#loc1378)
    "t.func"() ({
    ^bb0(%arg15: i32 loc("a.mlir":1729:6)):
      %15 = "t.add"(%arg15, %arg15) : (i32, i32) -> i32 loc(#loc1384)
      "t.call"(%15) {callee = @f105} : (i32) -> () loc(#loc1385)
    }) {sym_name = "f104"} : () -> () loc(#loc1382)
    "t.func"() ({
    ^bb0(%arg14: i32 loc("a.mlir":1734:6)):
      %14 = "t.add"(%arg14, %arg14) : (i32, i32) -> i32 loc(#loc1388)
      "t.call"(%14) {callee = @f106} : (i32) -> () loc(#loc1389)
    }) {sym_name = "f105"} : () -> () loc(#loc1386)
    "t.func"() ({
    ^bb0(%arg13: i32 loc("a.mlir":1739:6)):
      %13 = "t.add"(%arg13, %arg13) : (i32, i32) -> i32 loc(#loc1392)
      "t.call"(%13) {callee = @f107} : (i32) -> () loc(#loc1393)
    }) {sym_name = "f106"} : () -> () loc(#loc1390)
    "t.func"() ({
    ^bb0(%arg12: i32 loc("a.mlir":1744:6)):
      %12 = "t.add"(%arg12, %arg12) : (i32, i32) -> i32 loc(#loc1396)
      "t.call"(%12) {callee = @f108} : (i32) -> () loc(#loc1397)
    }) {sym_name = "f107"} : () -> () loc(#loc1394)
    "t.func"() ({
    ^bb0(%arg11: i32 loc("a.mlir":1749:6)):
      %11 = "t.add"(%arg11, %arg11) : (i32, i32) -> i32 loc(#loc1400)
      "t.call"(%11) {callee = @f109} : (i32) -> () loc(#loc1401)
    }) {sym_name = "f108"} : () -> () loc(#loc1398)
    "t.func"() ({
    ^bb0(%arg10: i32 loc("a.mlir":1754:6)):
      %10 = "t.add"(%arg10, %arg10) : (i32, i32) -> i32 loc(#loc1404)
      "t.call"(%10) {callee = @f110} : (i32) -> () loc(#loc1405)
    }) {sym_name = "f109"} : () -> () loc(#loc1402)
    "t.func"() ({
    ^bb0(%arg9: i32 loc("a.mlir":1759:6)):
      %9 = "t.add"(%arg9, %arg9) : (i32, i32) -> i32 loc(#loc1408)
      "t.call"(%9) {callee = @f111} : (i32) -> () loc(#loc1409)
    }) {sym_name = "f110"} : () -> () loc(#loc1406)
    "t.func"() ({
    ^bb0(%arg8: i32 loc("a.mlir":1764:6)):
      %8 = "t.add"(%arg8, %arg8) : (i32, i32) -> i32 loc(#loc1412)
      "t.call"(%8) {callee = @f112} : (i32) -> () loc(#loc1413)
    }) {sym_name = "f111"} : () -> () loc(#loc1410)
    "t.func"() ({
    ^bb0(%arg7: i32 loc("a.mlir":1769:6)):
      %7 = "t.add"(%arg7, %arg7) : (i32, i32) -> i32 loc(#loc1416)
      "t.call"(%7) {callee = @f113} : (i32) -> () loc(#loc1417)
    }) {sym_name = "f112"} : () -> () loc(#loc1414)
    "t.func"() ({
    ^bb0(%arg6: i32 loc("a.mlir":1774:6)):
      %6 = "t.add"(%arg6, %arg6) : (i32, i32) -> i32 loc(#loc1420)
      "t.call"(%6) {callee = @f114} : (i32) -> () loc(#loc1421)
    }) {sym_name = "f113"} : () -> () loc(#loc1418)
    "t.func"() ({
    ^bb0(%arg5: i32 loc("a.mlir":1779:6)):
      %5 = "t.add"(%arg5, %arg5) : (i32, i32) -> i32 loc(#loc1424)
      "t.call"(%5) {callee = @f115} : (i32) -> () loc(#loc1425)
    }) {sym_name = "f114"} : () -> () loc(#loc1422)
    "t.func"() ({
    ^bb0(%arg4: i32 loc("a.mlir":1784:6)):
      %4 = "t.add"(%arg4, %arg4) : (i32, i32) -> i32 loc(#loc1428)
      "t.call"(%4) {callee = @f116} : (i32) -> () loc(#loc1429)
    }) {sym_name = "f115"} : () -> () loc(#loc1426)
    "t.func"() ({
    ^bb0(%arg3: i32 loc("a.mlir":1789:6)):
      %3 = "t.add"(%arg3, %arg3) : (i32, i32) -> i32 loc(#loc1432)
      "t.call"(%3) {callee = @f117} : (i32) -> () loc(#loc1433)
    }) {sym_name = "f116"} : () -> () loc(#loc1430)
    "t.func"() ({
    ^bb0(%arg2: i32 loc("a.mlir":1794:6)):
      %2 = "t.add"(%arg2, %arg2) : (i32, i32) -> i32 loc(#loc1436)
      "t.call"(%2) {callee = @f118} : (i32) -> () loc(#loc1437)
    }) {sym_name = "f117"} : () -> () loc(#loc1434)
    "t.func"() ({
    ^bb0(%arg1: i32 loc("a.mlir":1799:6)):
      %1 = "t.add"(%arg1, %arg1) : (i32, i32) -> i32 loc(#loc1440)
      "t.call"(%1) {callee = @f119} : (i32) -> () loc(#loc1441)
    }) {sym_name = "f118"} : () -> () loc(#loc1438)
    "t.func"() ({
    ^bb0(%arg0: i32 loc("a.mlir":1804:6)):
      %0 = "t.add"(%arg0, %arg0) : (i32, i32) -> i32 loc(#loc1444)
      "t.call"(%0) {callee = @f0} : (i32) -> () loc(#loc1445)
    }) {sym_name = "f119"} : () -> () loc(#loc1442)
  }) {sym_name = "m2"} : () -> () loc(#loc965)
  "t.op"() : () -> () loc(#loc1446)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":1:1)
#loc2 = loc("a.mlir":2:1)
#loc4 = loc("a.mlir":4:10)
#loc5 = loc("a.mlir":5:3)
#loc6 = loc("a.mlir":7:1)
#loc8 = loc("a.mlir":9:10)
#loc9 = loc("a.mlir":10:3)
#loc10 = loc("a.mlir":12:1)
#loc12 = loc("a.mlir":14:10)
#loc13 = loc("a.mlir":15:3)
#loc14 = loc("a.mlir":17:1)
#loc16 = loc("a.mlir":19:10)
#loc17 = loc("a.mlir":20:3)
#loc18 = loc("a.mlir":22:1)
#loc20 = loc("a.mlir":24:10)
#loc21 = loc("a.mlir":25:3)
#loc22 = loc("a.mlir":27:1)
#loc24 = loc("a.mlir":29:10)
#loc25 = loc("a.mlir":30:3)
#loc26 = loc("a.mlir":32:1)
#loc28 = loc("a.mlir":34:10)
#loc29 = loc("a.mlir":35:3)
#loc30 = loc("a.mlir":37:1)
#loc32 = loc("a.mlir":39:10)
#loc33 = loc("a.mlir":40:3)
#loc34 = loc("a.mlir":42:1)
#loc36 = loc("a.mlir":44:10)
#loc37 = loc("a.mlir":45:3)
#loc38 = loc("a.mlir":47:1)
#loc40 = loc("a.mlir":49:10)
#loc41 = loc("a.mlir":50:3)
#loc42 = loc("a.mlir":52:1)
#loc44 = loc("a.mlir":54:10)
#loc45 = loc("a.mlir":55:3)
#loc46 = loc("a.mlir":57:1)
#loc48 = loc("a.mlir":59:10)
#loc49 = loc("a.mlir":60:3)
#loc50 = loc("a.mlir":62:1)
#loc52 = loc("a.mlir":64:10)
#loc53 = loc("a.mlir":65:3)
#loc54 = loc("a.mlir":67:1)
#loc56 = loc("a.mlir":69:10)
#loc57 = loc("a.mlir":70:3)
#loc58 = loc("a.mlir":72:1)
#loc60 = loc("a.mlir":74:10)
#loc61 = loc("a.mlir":75:3)
#loc62 = loc("a.mlir":77:1)
#loc64 = loc("a.mlir":79:10)
#loc65 = loc("a.mlir":80:3)
#loc66 = loc("a.mlir":82:1)
#loc68 = loc("a.mlir":84:10)
#loc69 = loc("a.mlir":85:3)
#loc70 = loc("a.mlir":87:1)
#loc72 = loc("a.mlir":89:10)
#loc73 = loc("a.mlir":90:3)
#loc74 = loc("a.mlir":92:1)
#loc76 = loc("a.mlir":94:10)
#loc77 = loc("a.mlir":95:3)
#loc78 = loc("a.mlir":97:1)
#loc80 = loc("a.mlir":99:10)
#loc81 = loc("a.mlir":100:3)
#loc82 = loc("a.mlir":102:1)
#loc84 = loc("a.mlir":104:10)
#loc85 = loc("a.mlir":105:3)
#loc86 = loc("a.mlir":107:1)
#loc88 = loc("a.mlir":109:10)
#loc89 = loc("a.mlir":110:3)
#loc90 = loc("a.mlir":112:1)
#loc92 = loc("a.mlir":114:10)
#loc93 = loc("a.mlir":115:3)
#loc94 = loc("a.mlir":117:1)
#loc96 = loc("a.mlir":119:10)
#loc97 = loc("a.mlir":120:3)
#loc98 = loc("a.mlir":122:1)
#loc100 = loc("a.mlir":124:10)
#loc101 = loc("a.mlir":125:3)
#loc102 = loc("a.mlir":127:1)
#loc104 = loc("a.mlir":129:10)
#loc105 = loc("a.mlir":130:3)
#loc106 = loc("a.mlir":132:1)
#loc108 = loc("a.mlir":134:10)
#loc109 = loc("a.mlir":135:3)
#loc110 = loc("a.mlir":137:1)
#loc112 = loc("a.mlir":139:10)
#loc113 = loc("a.mlir":140:3)
#loc114 = loc("a.mlir":142:1)
#loc116 = loc("a.mlir":144:10)
#loc117 = loc("a.mlir":145:3)
#loc118 = loc("a.mlir":147:1)
#loc120 = loc("a.mlir":149:10)
#loc121 = loc("a.mlir":150:3)
#loc122 = loc("a.mlir":152:1)
#loc124 = loc("a.mlir":154:10)
#loc125 = loc("a.mlir":155:3)
#loc126 = loc("a.mlir":157:1)
#loc128 = loc("a.mlir":159:10)
#loc129 = loc("a.mlir":160:3)
#loc130 = loc("a.mlir":162:1)
#loc132 = loc("a.mlir":164:10)
#loc133 = loc("a.mlir":165:3)
#loc134 = loc("a.mlir":167:1)
#loc136 = loc("a.mlir":169:10)
#loc137 = loc("a.mlir":170:3)
#loc138 = loc("a.mlir":172:1)
#loc140 = loc("a.mlir":174:10)
#loc141 = loc("a.mlir":175:3)
#loc142 = loc("a.mlir":177:1)
#loc144 = loc("a.mlir":179:10)
#loc145 = loc("a.mlir":180:3)
#loc146 = loc("a.mlir":182:1)
#loc148 = loc("a.mlir":184:10)
#loc149 = loc("a.mlir":185:3)
#loc150 = loc("a.mlir":187:1)
#loc152 = loc("a.mlir":189:10)
#loc153 = loc("a.mlir":190:3)
#loc154 = loc("a.mlir":192:1)
#loc156 = loc("a.mlir":194:10)
#loc157 = loc("a.mlir":195:3)
#loc158 = loc("a.mlir":197:1)
#loc160 = loc("a.mlir":199:10)
#loc161 = loc("a.mlir":200:3)
#loc162 = loc("a.mlir":202:1)
#loc164 = loc("a.mlir":204:10)
#loc165 = loc("a.mlir":205:3)
#loc166 = loc("a.mlir":207:1)
#loc168 = loc("a.mlir":209:10)
#loc169 = loc("a.mlir":210:3)
#loc170 = loc("a.mlir":212:1)
#loc172 = loc("a.mlir":214:10)
#loc173 = loc("a.mlir":215:3)
#loc174 = loc("a.mlir":217:1)
#loc176 = loc("a.mlir":219:10)
#loc177 = loc("a.mlir":220:3)
#loc178 = loc("a.mlir":222:1)
#loc180 = loc("a.mlir":224:10)
#loc181 = loc("a.mlir":225:3)
#loc182 = loc("a.mlir":227:1)
#loc184 = loc("a.mlir":229:10)
#loc185 = loc("a.mlir":230:3)
#loc186 = loc("a.mlir":232:1)
#loc188 = loc("a.mlir":234:10)
#loc189 = loc("a.mlir":235:3)
#loc190 = loc("a.mlir":237:1)
#loc192 = loc("a.mlir":239:10)
#loc193 = loc("a.mlir":240:3)
#loc194 = loc("a.mlir":242:1)
#loc196 = loc("a.mlir":244:10)
#loc197 = loc("a.mlir":245:3)
#loc198 = loc("a.mlir":247:1)
#loc200 = loc("a.mlir":249:10)
#loc201 = loc("a.mlir":250:3)
#loc202 = loc("a.mlir":252:1)
#loc204 = loc("a.mlir":254:10)
#loc205 = loc("a.mlir":255:3)
#loc206 = loc("a.mlir":257:1)
#loc208 = loc("a.mlir":259:10)
#loc209 = loc("a.mlir":260:3)
#loc210 = loc("a.mlir":262:1)
#loc212 = loc("a.mlir":264:10)
#loc213 = loc("a.mlir":265:3)
#loc214 = loc("a.mlir":267:1)
#loc216 = loc("a.mlir":269:10)
#loc217 = loc("a.mlir":270:3)
#loc218 = loc("a.mlir":272:1)
#loc220 = loc("a.mlir":274:10)
#loc221 = loc("a.mlir":275:3)
#loc222 = loc("a.mlir":277:1)
#loc224 = loc("a.mlir":279:10)
#loc225 = loc("a.mlir":280:3)
#loc226 = loc("a.mlir":282:1)
#loc228 = loc("a.mlir":284:10)
#loc229 = loc("a.mlir":285:3)
#loc230 = loc("a.mlir":287:1)
#loc232 = loc("a.mlir":289:10)
#loc233 = loc("a.mlir":290:3)
#loc234 = loc("a.mlir":292:1)
#loc236 = loc("a.mlir":294:10)
#loc237 = loc("a.mlir":295:3)
#loc238 = loc("a.mlir":297:1)
#loc240 = loc("a.mlir":299:10)
#loc241 = loc("a.mlir":300:3)
#loc242 = loc("a.mlir":302:1)
#loc244 = loc("a.mlir":304:10)
#loc245 = loc("a.mlir":305:3)
#loc246 = loc("a.mlir":307:1)
#loc248 = loc("a.mlir":309:10)
#loc249 = loc("a.mlir":310:3)
#loc250 = loc("a.mlir":312:1)
#loc252 = loc("a.mlir":314:10)
#loc253 = loc("a.mlir":315:3)
#loc254 = loc("a.mlir":317:1)
#loc256 = loc("a.mlir":319:10)
#loc257 = loc("a.mlir":320:3)
#loc258 = loc("a.mlir":322:1)
#loc260 = loc("a.mlir":324:10)
#loc261 = loc("a.mlir":325:3)
#loc262 = loc("a.mlir":327:1)
#loc264 = loc("a.mlir":329:10)
#loc265 = loc("a.mlir":330:3)
#loc266 = loc("a.mlir":332:1)
#loc268 = loc("a.mlir":334:10)
#loc269 = loc("a.mlir":335:3)
#loc270 = loc("a.mlir":337:1)
#loc272 = loc("a.mlir":339:10)
#loc273 = loc("a.mlir":340:3)
#loc274 = loc("a.mlir":342:1)
#loc276 = loc("a.mlir":344:10)
#loc277 = loc("a.mlir":345:3)
#loc278 = loc("a.mlir":347:1)
#loc280 = loc("a.mlir":349:10)
#loc281 = loc("a.mlir":350:3)
#loc282 = loc("a.mlir":352:1)
#loc284 = loc("a.mlir":354:10)
#loc285 = loc("a.mlir":355:3)
#loc286 = loc("a.mlir":357:1)
#loc288 = loc("a.mlir":359:10)
#loc289 = loc("a.mlir":360:3)
#loc290 = loc("a.mlir":362:1)
#loc292 = loc("a.mlir":364:10)
#loc293 = loc("a.mlir":365:3)
#loc294 = loc("a.mlir":367:1)
#loc296 = loc("a.mlir":369:10)
#loc297 = loc("a.mlir":370:3)
#loc298 = loc("a.mlir":372:1)
#loc300 = loc("a.mlir":374:10)
#loc301 = loc("a.mlir":375:3)
#loc302 = loc("a.mlir":377:1)
#loc304 = loc("a.mlir":379:10)
#loc305 = loc("a.mlir":380:3)
#loc306 = loc("a.mlir":382:1)
#loc308 = loc("a.mlir":384:10)
#loc309 = loc("a.mlir":385:3)
#loc310 = loc("a.mlir":387:1)
#loc312 = loc("a.mlir":389:10)
#loc313 = loc("a.mlir":390:3)
#loc314 = loc("a.mlir":392:1)
#loc316 = loc("a.mlir":394:10)
#loc317 = loc("a.mlir":395:3)
#loc318 = loc("a.mlir":397:1)
#loc320 = loc("a.mlir":399:10)
#loc321 = loc("a.mlir":400:3)
#loc322 = loc("a.mlir":402:1)
#loc324 = loc("a.mlir":404:10)
#loc325 = loc("a.mlir":405:3)
#loc326 = loc("a.mlir":407:1)
#loc328 = loc("a.mlir":409:10)
#loc329 = loc("a.mlir":410:3)
#loc330 = loc("a.mlir":412:1)
#loc332 = loc("a.mlir":414:10)
#loc333 = loc("a.mlir":415:3)
#loc334 = loc("a.mlir":417:1)
#loc336 = loc("a.mlir":419:10)
#loc337 = loc("a.mlir":420:3)
#loc338 = loc("a.mlir":422:1)
#loc340 = loc("a.mlir":424:10)
#loc341 = loc("a.mlir":425:3)
#loc342 = loc("a.mlir":427:1)
#loc344 = loc("a.mlir":429:10)
#loc345 = loc("a.mlir":430:3)
#loc346 = loc("a.mlir":432:1)
#loc348 = loc("a.mlir":434:10)
#loc349 = loc("a.mlir":435:3)
#loc350 = loc("a.mlir":437:1)
#loc352 = loc("a.mlir":439:10)
#loc353 = loc("a.mlir":440:3)
#loc354 = loc("a.mlir":442:1)
#loc356 = loc("a.mlir":444:10)
#loc357 = loc("a.mlir":445:3)
#loc358 = loc("a.mlir":447:1)
#loc360 = loc("a.mlir":449:10)
#loc361 = loc("a.mlir":450:3)
#loc362 = loc("a.mlir":452:1)
#loc364 = loc("a.mlir":454:10)
#loc365 = loc("a.mlir":455:3)
#loc366 = loc("a.mlir":457:1)
#loc368 = loc("a.mlir":459:10)
#loc369 = loc("a.mlir":460:3)
#loc370 = loc("a.mlir":462:1)
#loc372 = loc("a.mlir":464:10)
#loc373 = loc("a.mlir":465:3)
#loc374 = loc("a.mlir":467:1)
#loc376 = loc("a.mlir":469:10)
#loc377 = loc("a.mlir":470:3)
#loc378 = loc("a.mlir":472:1)
#loc380 = loc("a.mlir":474:10)
#loc381 = loc("a.mlir":475:3)
#loc382 = loc("a.mlir":477:1)
#loc384 = loc("a.mlir":479:10)
#loc385 = loc("a.mlir":480:3)
#loc386 = loc("a.mlir":482:1)
#loc388 = loc("a.mlir":484:10)
#loc389 = loc("a.mlir":485:3)
#loc390 = loc("a.mlir":487:1)
#loc392 = loc("a.mlir":489:10)
#loc393 = loc("a.mlir":490:3)
#loc394 = loc("a.mlir":492:1)
#loc396 = loc("a.mlir":494:10)
#loc397 = loc("a.mlir":495:3)
#loc398 = loc("a.mlir":497:1)
#loc400 = loc("a.mlir":499:10)
#loc401 = loc("a.mlir":500:3)
#loc402 = loc("a.mlir":502:1)
#loc404 = loc("a.mlir":504:10)
#loc405 = loc("a.mlir":505:3)
#loc406 = loc("a.mlir":507:1)
#loc408 = loc("a.mlir":509:10)
#loc409 = loc("a.mlir":510:3)
#loc410 = loc("a.mlir":512:1)
#loc412 = loc("a.mlir":514:10)
#loc413 = loc("a.mlir":515:3)
#loc414 = loc("a.mlir":517:1)
#loc416 = loc("a.mlir":519:10)
#loc417 = loc("a.mlir":520:3)
#loc418 = loc("a.mlir":522:1)
#loc420 = loc("a.mlir":524:10)
#loc421 = loc("a.mlir":525:3)
#loc422 = loc("a.mlir":527:1)
#loc424 = loc("a.mlir":529:10)
#loc425 = loc("a.mlir":530:3)
#loc426 = loc("a.mlir":532:1)
#loc428 = loc("a.mlir":534:10)
#loc429 = loc("a.mlir":535:3)
#loc430 = loc("a.mlir":537:1)
#loc432 = loc("a.mlir":539:10)
#loc433 = loc("a.mlir":540:3)
#loc434 = loc("a.mlir":542:1)
#loc436 = loc("a.mlir":544:10)
#loc437 = loc("a.mlir":545:3)
#loc438 = loc("a.mlir":547:1)
#loc440 = loc("a.mlir":549:10)
#loc441 = loc("a.mlir":550:3)
#loc442 = loc("a.mlir":552:1)
#loc444 = loc("a.mlir":554:10)
#loc445 = loc("a.mlir":555:3)
#loc446 = loc("a.mlir":557:1)
#loc448 = loc("a.mlir":559:10)
#loc449 = loc("a.mlir":560:3)
#loc450 = loc("a.mlir":562:1)
#loc452 = loc("a.mlir":564:10)
#loc453 = loc("a.mlir":565:3)
#loc454 = loc("a.mlir":567:1)
#loc456 = loc("a.mlir":569:10)
#loc457 = loc("a.mlir":570:3)
#loc458 = loc("a.mlir":572:1)
#loc460 = loc("a.mlir":574:10)
#loc461 = loc("a.mlir":575:3)
#loc462 = loc("a.mlir":577:1)
#loc464 = loc("a.mlir":579:10)
#loc465 = loc("a.mlir":580:3)
#loc466 = loc("a.mlir":582:1)
#loc468 = loc("a.mlir":584:10)
#loc469 = loc("a.mlir":585:3)
#loc470 = loc("a.mlir":587:1)
#loc472 = loc("a.mlir":589:10)
#loc473 = loc("a.mlir":590:3)
#loc474 = loc("a.mlir":592:1)
#loc476 = loc("a.mlir":594:10)
#loc477 = loc("a.mlir":595:3)
#loc478 = loc("a.mlir":597:1)
#loc480 = loc("a.mlir":599:10)
#loc481 = loc("a.mlir":600:3)
#loc482 = loc("a.mlir":603:1)
#loc483 = loc("a.mlir":604:1)
#loc484 = loc("a.mlir":605:1)
#loc486 = loc("a.mlir":607:10)
#loc487 = loc("a.mlir":608:3)
#loc488 = loc("a.mlir":610:1)
#loc490 = loc("a.mlir":612:10)
#loc491 = loc("a.mlir":613:3)
#loc492 = loc("a.mlir":615:1)
#loc494 = loc("a.mlir":617:10)
#loc495 = loc("a.mlir":618:3)
#loc496 = loc("a.mlir":620:1)
#loc498 = loc("a.mlir":622:10)
#loc499 = loc("a.mlir":623:3)
#loc500 = loc("a.mlir":625:1)
#loc502 = loc("a.mlir":627:10)
#loc503 = loc("a.mlir":628:3)
#loc504 = loc("a.mlir":630:1)
#loc506 = loc("a.mlir":632:10)
#loc507 = loc("a.mlir":633:3)
#loc508 = loc("a.mlir":635:1)
#loc510 = loc("a.mlir":637:10)
#loc511 = loc("a.mlir":638:3)
#loc512 = loc("a.mlir":640:1)
#loc514 = loc("a.mlir":642:10)
#loc515 = loc("a.mlir":643:3)
#loc516 = loc("a.mlir":645:1)
#loc518 = loc("a.mlir":647:10)
#loc519 = loc("a.mlir":648:3)
#loc520 = loc("a.mlir":650:1)
#loc522 = loc("a.mlir":652:10)
#loc523 = loc("a.mlir":653:3)
#loc524 = loc("a.mlir":655:1)
#loc526 = loc("a.mlir":657:10)
#loc527 = loc("a.mlir":658:3)
#loc528 = loc("a.mlir":660:1)
#loc530 = loc("a.mlir":662:10)
#loc531 = loc("a.mlir":663:3)
#loc532 = loc("a.mlir":665:1)
#loc534 = loc("a.mlir":667:10)
#loc535 = loc("a.mlir":668:3)
#loc536 = loc("a.mlir":670:1)
#loc538 = loc("a.mlir":672:10)
#loc539 = loc("a.mlir":673:3)
#loc540 = loc("a.mlir":675:1)
#loc542 = loc("a.mlir":677:10)
#loc543 = loc("a.mlir":678:3)
#loc544 = loc("a.mlir":680:1)
#loc546 = loc("a.mlir":682:10)
#loc547 = loc("a.mlir":683:3)
#loc548 = loc("a.mlir":685:1)
#loc550 = loc("a.mlir":687:10)
#loc551 = loc("a.mlir":688:3)
#loc552 = loc("a.mlir":690:1)
#loc554 = loc("a.mlir":692:10)
#loc555 = loc("a.mlir":693:3)
#loc556 = loc("a.mlir":695:1)
#loc558 = loc("a.mlir":697:10)
#loc559 = loc("a.mlir":698:3)
#loc560 = loc("a.mlir":700:1)
#loc562 = loc("a.mlir":702:10)
#loc563 = loc("a.mlir":703:3)
#loc564 = loc("a.mlir":705:1)
#loc566 = loc("a.mlir":707:10)
#loc567 = loc("a.mlir":708:3)
#loc568 = loc("a.mlir":710:1)
#loc570 = loc("a.mlir":712:10)
#loc571 = loc("a.mlir":713:3)
#loc572 = loc("a.mlir":715:1)
#loc574 = loc("a.mlir":717:10)
#loc575 = loc("a.mlir":718:3)
#loc576 = loc("a.mlir":720:1)
#loc578 = loc("a.mlir":722:10)
#loc579 = loc("a.mlir":723:3)
#loc580 = loc("a.mlir":725:1)
#loc582 = loc("a.mlir":727:10)
#loc583 = loc("a.mlir":728:3)
#loc584 = loc("a.mlir":730:1)
#loc586 = loc("a.mlir":732:10)
#loc587 = loc("a.mlir":733:3)
#loc588 = loc("a.mlir":735:1)
#loc590 = loc("a.mlir":737:10)
#loc591 = loc("a.mlir":738:3)
#loc592 = loc("a.mlir":740:1)
#loc594 = loc("a.mlir":742:10)
#loc595 = loc("a.mlir":743:3)
#loc596 = loc("a.mlir":745:1)
#loc598 = loc("a.mlir":747:10)
#loc599 = loc("a.mlir":748:3)
#loc600 = loc("a.mlir":750:1)
#loc602 = loc("a.mlir":752:10)
#loc603 = loc("a.mlir":753:3)
#loc604 = loc("a.mlir":755:1)
#loc606 = loc("a.mlir":757:10)
#loc607 = loc("a.mlir":758:3)
#loc608 = loc("a.mlir":760:1)
#loc610 = loc("a.mlir":762:10)
#loc611 = loc("a.mlir":763:3)
#loc612 = loc("a.mlir":765:1)
#loc614 = loc("a.mlir":767:10)
#loc615 = loc("a.mlir":768:3)
#loc616 = loc("a.mlir":770:1)
#loc618 = loc("a.mlir":772:10)
#loc619 = loc("a.mlir":773:3)
#loc620 = loc("a.mlir":775:1)
#loc622 = loc("a.mlir":777:10)
#loc623 = loc("a.mlir":778:3)
#loc624 = loc("a.mlir":780:1)
#loc626 = loc("a.mlir":782:10)
#loc627 = loc("a.mlir":783:3)
#loc628 = loc("a.mlir":785:1)
#loc630 = loc("a.mlir":787:10)
#loc631 = loc("a.mlir":788:3)
#loc632 = loc("a.mlir":790:1)
#loc634 = loc("a.mlir":792:10)
#loc635 = loc("a.mlir":793:3)
#loc636 = loc("a.mlir":795:1)
#loc638 = loc("a.mlir":797:10)
#loc639 = loc("a.mlir":798:3)
#loc640 = loc("a.mlir":800:1)
#loc642 = loc("a.mlir":802:10)
#loc643 = loc("a.mlir":803:3)
#loc644 = loc("a.mlir":805:1)
#loc646 = loc("a.mlir":807:10)
#loc647 = loc("a.mlir":808:3)
#loc648 = loc("a.mlir":810:1)
#loc650 = loc("a.mlir":812:10)
#loc651 = loc("a.mlir":813:3)
#loc652 = loc("a.mlir":815:1)
#loc654 = loc("a.mlir":817:10)
#loc655 = loc("a.mlir":818:3)
#loc656 = loc("a.mlir":820:1)
#loc658 = loc("a.mlir":822:10)
#loc659 = loc("a.mlir":823:3)
#loc660 = loc("a.mlir":825:1)
#loc662 = loc("a.mlir":827:10)
#loc663 = loc("a.mlir":828:3)
#loc664 = loc("a.mlir":830:1)
#loc666 = loc("a.mlir":832:10)
#loc667 = loc("a.mlir":833:3)
#loc668 = loc("a.mlir":835:1)
#loc670 = loc("a.mlir":837:10)
#loc671 = loc("a.mlir":838:3)
#loc672 = loc("a.mlir":840:1)
#loc674 = loc("a.mlir":842:10)
#loc675 = loc("a.mlir":843:3)
#loc676 = loc("a.mlir":845:1)
#loc678 = loc("a.mlir":847:10)
#loc679 = loc("a.mlir":848:3)
#loc680 = loc("a.mlir":850:1)
#loc682 = loc("a.mlir":852:10)
#loc683 = loc("a.mlir":853:3)
#loc684 = loc("a.mlir":855:1)
#loc686 = loc("a.mlir":857:10)
#loc687 = loc("a.mlir":858:3)
#loc688 = loc("a.mlir":860:1)
#loc690 = loc("a.mlir":862:10)
#loc691 = loc("a.mlir":863:3)
#loc692 = loc("a.mlir":865:1)
#loc694 = loc("a.mlir":867:10)
#loc695 = loc("a.mlir":868:3)
#loc696 = loc("a.mlir":870:1)
#loc698 = loc("a.mlir":872:10)
#loc699 = loc("a.mlir":873:3)
#loc700 = loc("a.mlir":875:1)
#loc702 = loc("a.mlir":877:10)
#loc703 = loc("a.mlir":878:3)
#loc704 = loc("a.mlir":880:1)
#loc706 = loc("a.mlir":882:10)
#loc707 = loc("a.mlir":883:3)
#loc708 = loc("a.mlir":885:1)
#loc710 = loc("a.mlir":887:10)
#loc711 = loc("a.mlir":888:3)
#loc712 = loc("a.mlir":890:1)
#loc714 = loc("a.mlir":892:10)
#loc715 = loc("a.mlir":893:3)
#loc716 = loc("a.mlir":895:1)
#loc718 = loc("a.mlir":897:10)
#loc719 = loc("a.mlir":898:3)
#loc720 = loc("a.mlir":900:1)
#loc722 = loc("a.mlir":902:10)
#loc723 = loc("a.mlir":903:3)
#loc724 = loc("a.mlir":905:1)
#loc726 = loc("a.mlir":907:10)
#loc727 = loc("a.mlir":908:3)
#loc728 = loc("a.mlir":910:1)
#loc730 = loc("a.mlir":912:10)
#loc731 = loc("a.mlir":913:3)
#loc732 = loc("a.mlir":915:1)
#loc734 = loc("a.mlir":917:10)
#loc735 = loc("a.mlir":918:3)
#loc736 = loc("a.mlir":920:1)
#loc738 = loc("a.mlir":922:10)
#loc739 = loc("a.mlir":923:3)
#loc740 = loc("a.mlir":925:1)
#loc742 = loc("a.mlir":927:10)
#loc743 = loc("a.mlir":928:3)
#loc744 = loc("a.mlir":930:1)
#loc746 = loc("a.mlir":932:10)
#loc747 = loc("a.mlir":933:3)
#loc748 = loc("a.mlir":935:1)
#loc750 = loc("a.mlir":937:10)
#loc751 = loc("a.mlir":938:3)
#loc752 = loc("a.mlir":940:1)
#loc754 = loc("a.mlir":942:10)
#loc755 = loc("a.mlir":943:3)
#loc756 = loc("a.mlir":945:1)
#loc758 = loc("a.mlir":947:10)
#loc759 = loc("a.mlir":948:3)
#loc760 = loc("a.mlir":950:1)
#loc762 = loc("a.mlir":952:10)
#loc763 = loc("a.mlir":953:3)
#loc764 = loc("a.mlir":955:1)
#loc766 = loc("a.mlir":957:10)
#loc767 = loc("a.mlir":958:3)
#loc768 = loc("a.mlir":960:1)
#loc770 = loc("a.mlir":962:10)
#loc771 = loc("a.mlir":963:3)
#loc772 = loc("a.mlir":965:1)
#loc774 = loc("a.mlir":967:10)
#loc775 = loc("a.mlir":968:3)
#loc776 = loc("a.mlir":970:1)
#loc778 = loc("a.mlir":972:10)
#loc779 = loc("a.mlir":973:3)
#loc780 = loc("a.mlir":975:1)
#loc782 = loc("a.mlir":977:10)
#loc783 = loc("a.mlir":978:3)
#loc784 = loc("a.mlir":980:1)
#loc786 = loc("a.mlir":982:10)
#loc787 = loc("a.mlir":983:3)
#loc788 = loc("a.mlir":985:1)
#loc790 = loc("a.mlir":987:10)
#loc791 = loc("a.mlir":988:3)
#loc792 = loc("a.mlir":990:1)
#loc794 = loc("a.mlir":992:10)
#loc795 = loc("a.mlir":993:3)
#loc796 = loc("a.mlir":995:1)
#loc798 = loc("a.mlir":997:10)
#loc799 = loc("a.mlir":998:3)
#loc800 = loc("a.mlir":1000:1)
#loc802 = loc("a.mlir":1002:10)
#loc803 = loc("a.mlir":1003:3)
#loc804 = loc("a.mlir":1005:1)
#loc806 = loc("a.mlir":1007:10)
#loc807 = loc("a.mlir":1008:3)
#loc808 = loc("a.mlir":1010:1)
#loc810 = loc("a.mlir":1012:10)
#loc811 = loc("a.mlir":1013:3)
#loc812 = loc("a.mlir":1015:1)
#loc814 = loc("a.mlir":1017:10)
#loc815 = loc("a.mlir":1018:3)
#loc816 = loc("a.mlir":1020:1)
#loc818 = loc("a.mlir":1022:10)
#loc819 = loc("a.mlir":1023:3)
#loc820 = loc("a.mlir":1025:1)
#loc822 = loc("a.mlir":1027:10)
#loc823 = loc("a.mlir":1028:3)
#loc824 = loc("a.mlir":1030:1)
#loc826 = loc("a.mlir":1032:10)
#loc827 = loc("a.mlir":1033:3)
#loc828 = loc("a.mlir":1035:1)
#loc830 = loc("a.mlir":1037:10)
#loc831 = loc("a.mlir":1038:3)
#loc832 = loc("a.mlir":1040:1)
#loc834 = loc("a.mlir":1042:10)
#loc835 = loc("a.mlir":1043:3)
#loc836 = loc("a.mlir":1045:1)
#loc838 = loc("a.mlir":1047:10)
#loc839 = loc("a.mlir":1048:3)
#loc840 = loc("a.mlir":1050:1)
#loc842 = loc("a.mlir":1052:10)
#loc843 = loc("a.mlir":1053:3)
#loc844 = loc("a.mlir":1055:1)
#loc846 = loc("a.mlir":1057:10)
#loc847 = loc("a.mlir":1058:3)
#loc848 = loc("a.mlir":1060:1)
#loc850 = loc("a.mlir":1062:10)
#loc851 = loc("a.mlir":1063:3)
#loc852 = loc("a.mlir":1065:1)
#loc854 = loc("a.mlir":1067:10)
#loc855 = loc("a.mlir":1068:3)
#loc856 = loc("a.mlir":1070:1)
#loc858 = loc("a.mlir":1072:10)
#loc859 = loc("a.mlir":1073:3)
#loc860 = loc("a.mlir":1075:1)
#loc862 = loc("a.mlir":1077:10)
#loc863 = loc("a.mlir":1078:3)
#loc864 = loc("a.mlir":1080:1)
#loc866 = loc("a.mlir":1082:10)
#loc867 = loc("a.mlir":1083:3)
#loc868 = loc("a.mlir":1085:1)
#loc870 = loc("a.mlir":1087:10)
#loc871 = loc("a.mlir":1088:3)
#loc872 = loc("a.mlir":1090:1)
#loc874 = loc("a.mlir":1092:10)
#loc875 = loc("a.mlir":1093:3)
#loc876 = loc("a.mlir":1095:1)
#loc878 = loc("a.mlir":1097:10)
#loc879 = loc("a.mlir":1098:3)
#loc880 = loc("a.mlir":1100:1)
#loc882 = loc("a.mlir":1102:10)
#loc883 = loc("a.mlir":1103:3)
#loc884 = loc("a.mlir":1105:1)
#loc886 = loc("a.mlir":1107:10)
#loc887 = loc("a.mlir":1108:3)
#loc888 = loc("a.mlir":1110:1)
#loc890 = loc("a.mlir":1112:10)
#loc891 = loc("a.mlir":1113:3)
#loc892 = loc("a.mlir":1115:1)
#loc894 = loc("a.mlir":1117:10)
#loc895 = loc("a.mlir":1118:3)
#loc896 = loc("a.mlir":1120:1)
#loc898 = loc("a.mlir":1122:10)
#loc899 = loc("a.mlir":1123:3)
#loc900 = loc("a.mlir":1125:1)
#loc902 = loc("a.mlir":1127:10)
#loc903 = loc("a.mlir":1128:3)
#loc904 = loc("a.mlir":1130:1)
#loc906 = loc("a.mlir":1132:10)
#loc907 = loc("a.mlir":1133:3)
#loc908 = loc("a.mlir":1135:1)
#loc910 = loc("a.mlir":1137:10)
#loc911 = loc("a.mlir":1138:3)
#loc912 = loc("a.mlir":1140:1)
#loc914 = loc("a.mlir":1142:10)
#loc915 = loc("a.mlir":1143:3)
#loc916 = loc("a.mlir":1145:1)
#loc918 = loc("a.mlir":1147:10)
#loc919 = loc("a.mlir":1148:3)
#loc920 = loc("a.mlir":1150:1)
#loc922 = loc("a.mlir":1152:10)
#loc923 = loc("a.mlir":1153:3)
#loc924 = loc("a.mlir":1155:1)
#loc926 = loc("a.mlir":1157:10)
#loc927 = loc("a.mlir":1158:3)
#loc928 = loc("a.mlir":1160:1)
#loc930 = loc("a.mlir":1162:10)
#loc931 = loc("a.mlir":1163:3)
#loc932 = loc("a.mlir":1165:1)
#loc934 = loc("a.mlir":1167:10)
#loc935 = loc("a.mlir":1168:3)
#loc936 = loc("a.mlir":1170:1)
#loc938 = loc("a.mlir":1172:10)
#loc939 = loc("a.mlir":1173:3)
#loc940 = loc("a.mlir":1175:1)
#loc942 = loc("a.mlir":1177:10)
#loc943 = loc("a.mlir":1178:3)
#loc944 = loc("a.mlir":1180:1)
#loc946 = loc("a.mlir":1182:10)
#loc947 = loc("a.mlir":1183:3)
#loc948 = loc("a.mlir":1185:1)
#loc950 = loc("a.mlir":1187:10)
#loc951 = loc("a.mlir":1188:3)
#loc952 = loc("a.mlir":1190:1)
#loc954 = loc("a.mlir":1192:10)
#loc955 = loc("a.mlir":1193:3)
#loc956 = loc("a.mlir":1195:1)
#loc958 = loc("a.mlir":1197:10)
#loc959 = loc("a.mlir":1198:3)
#loc960 = loc("a.mlir":1200:1)
#loc962 = loc("a.mlir":1202:10)
#loc963 = loc("a.mlir":1203:3)
#loc964 = loc("a.mlir":1206:1)
#loc965 = loc("a.mlir":1207:1)
#loc966 = loc("a.mlir":1208:1)
#loc968 = loc("a.mlir":1210:10)
#loc969 = loc("a.mlir":1211:3)
#loc970 = loc("a.mlir":1213:1)
#loc972 = loc("a.mlir":1215:10)
#loc973 = loc("a.mlir":1216:3)
#loc974 = loc("a.mlir":1218:1)
#loc976 = loc("a.mlir":1220:10)
#loc977 = loc("a.mlir":1221:3)
#loc978 = loc("a.mlir":1223:1)
#loc980 = loc("a.mlir":1225:10)
#loc981 = loc("a.mlir":1226:3)
#loc982 = loc("a.mlir":1228:1)
#loc984 = loc("a.mlir":1230:10)
#loc985 = loc("a.mlir":1231:3)
#loc986 = loc("a.mlir":1233:1)
#loc988 = loc("a.mlir":1235:10)
#loc989 = loc("a.mlir":1236:3)
#loc990 = loc("a.mlir":1238:1)
#loc992 = loc("a.mlir":1240:10)
#loc993 = loc("a.mlir":1241:3)
#loc994 = loc("a.mlir":1243:1)
#loc996 = loc("a.mlir":1245:10)
#loc997 = loc("a.mlir":1246:3)
#loc998 = loc("a.mlir":1248:1)
#loc1000 = loc("a.mlir":1250:10)
#loc1001 = loc("a.mlir":1251:3)
#loc1002 = loc("a.mlir":1253:1)
#loc1004 = loc("a.mlir":1255:10)
#loc1005 = loc("a.mlir":1256:3)
#loc1006 = loc("a.mlir":1258:1)
#loc1008 = loc("a.mlir":1260:10)
#loc1009 = loc("a.mlir":1261:3)
#loc1010 = loc("a.mlir":1263:1)
#loc1012 = loc("a.mlir":1265:10)
#loc1013 = loc("a.mlir":1266:3)
#loc1014 = loc("a.mlir":1268:1)
#loc1016 = loc("a.mlir":1270:10)
#loc1017 = loc("a.mlir":1271:3)
#loc1018 = loc("a.mlir":1273:1)
#loc1020 = loc("a.mlir":1275:10)
#loc1021 = loc("a.mlir":1276:3)
#loc1022 = loc("a.mlir":1278:1)
#loc1024 = loc("a.mlir":1280:10)
#loc1025 = loc("a.mlir":1281:3)
#loc1026 = loc("a.mlir":1283:1)
#loc1028 = loc("a.mlir":1285:10)
#loc1029 = loc("a.mlir":1286:3)
#loc1030 = loc("a.mlir":1288:1)
#loc1032 = loc("a.mlir":1290:10)
#loc1033 = loc("a.mlir":1291:3)
#loc1034 = loc("a.mlir":1293:1)
#loc1036 = loc("a.mlir":1295:10)
#loc1037 = loc("a.mlir":1296:3)
#loc1038 = loc("a.mlir":1298:1)
#loc1040 = loc("a.mlir":1300:10)
#loc1041 = loc("a.mlir":1301:3)
#loc1042 = loc("a.mlir":1303:1)
#loc1044 = loc("a.mlir":1305:10)
#loc1045 = loc("a.mlir":1306:3)
#loc1046 = loc("a.mlir":1308:1)
#loc1048 = loc("a.mlir":1310:10)
#loc1049 = loc("a.mlir":1311:3)
#loc1050 = loc("a.mlir":1313:1)
#loc1052 = loc("a.mlir":1315:10)
#loc1053 = loc("a.mlir":1316:3)
#loc1054 = loc("a.mlir":1318:1)
#loc1056 = loc("a.mlir":1320:10)
#loc1057 = loc("a.mlir":1321:3)
#loc1058 = loc("a.mlir":1323:1)
#loc1060 = loc("a.mlir":1325:10)
#loc1061 = loc("a.mlir":1326:3)
#loc1062 = loc("a.mlir":1328:1)
#loc1064 = loc("a.mlir":1330:10)
#loc1065 = loc("a.mlir":1331:3)
#loc1066 = loc("a.mlir":1333:1)
#loc1068 = loc("a.mlir":1335:10)
#loc1069 = loc("a.mlir":1336:3)
#loc1070 = loc("a.mlir":1338:1)
#loc1072 = loc("a.mlir":1340:10)
#loc1073 = loc("a.mlir":1341:3)
#loc1074 = loc("a.mlir":1343:1)
#loc1076 = loc("a.mlir":1345:10)
#loc1077 = loc("a.mlir":1346:3)
#loc1078 = loc("a.mlir":1348:1)
#loc1080 = loc("a.mlir":1350:10)
#loc1081 = loc("a.mlir":1351:3)
#loc1082 = loc("a.mlir":1353:1)
#loc1084 = loc("a.mlir":1355:10)
#loc1085 = loc("a.mlir":1356:3)
#loc1086 = loc("a.mlir":1358:1)
#loc1088 = loc("a.mlir":1360:10)
#loc1089 = loc("a.mlir":1361:3)
#loc1090 = loc("a.mlir":1363:1)
#loc1092 = loc("a.mlir":1365:10)
#loc1093 = loc("a.mlir":1366:3)
#loc1094 = loc("a.mlir":1368:1)
#loc1096 = loc("a.mlir":1370:10)
#loc1097 = loc("a.mlir":1371:3)
#loc1098 = loc("a.mlir":1373:1)
#loc1100 = loc("a.mlir":1375:10)
#loc1101 = loc("a.mlir":1376:3)
#loc1102 = loc("a.mlir":1378:1)
#loc1104 = loc("a.mlir":1380:10)
#loc1105 = loc("a.mlir":1381:3)
#loc1106 = loc("a.mlir":1383:1)
#loc1108 = loc("a.mlir":1385:10)
#loc1109 = loc("a.mlir":1386:3)
#loc1110 = loc("a.mlir":1388:1)
#loc1112 = loc("a.mlir":1390:10)
#loc1113 = loc("a.mlir":1391:3)
#loc1114 = loc("a.mlir":1393:1)
#loc1116 = loc("a.mlir":1395:10)
#loc1117 = loc("a.mlir":1396:3)
#loc1118 = loc("a.mlir":1398:1)
#loc1120 = loc("a.mlir":1400:10)
#loc1121 = loc("a.mlir":1401:3)
#loc1122 = loc("a.mlir":1403:1)
#loc1124 = loc("a.mlir":1405:10)
#loc1125 = loc("a.mlir":1406:3)
#loc1126 = loc("a.mlir":1408:1)
#loc1128 = loc("a.mlir":1410:10)
#loc1129 = loc("a.mlir":1411:3)
#loc1130 = loc("a.mlir":1413:1)
#loc1132 = loc("a.mlir":1415:10)
#loc1133 = loc("a.mlir":1416:3)
#loc1134 = loc("a.mlir":1418:1)
#loc1136 = loc("a.mlir":1420:10)
#loc1137 = loc("a.mlir":1421:3)
#loc1138 = loc("a.mlir":1423:1)
#loc1140 = loc("a.mlir":1425:10)
#loc1141 = loc("a.mlir":1426:3)
#loc1142 = loc("a.mlir":1428:1)
#loc1144 = loc("a.mlir":1430:10)
#loc1145 = loc("a.mlir":1431:3)
#loc1146 = loc("a.mlir":1433:1)
#loc1148 = loc("a.mlir":1435:10)
#loc1149 = loc("a.mlir":1436:3)
#loc1150 = loc("a.mlir":1438:1)
#loc1152 = loc("a.mlir":1440:10)
#loc1153 = loc("a.mlir":1441:3)
#loc1154 = loc("a.mlir":1443:1)
#loc1156 = loc("a.mlir":1445:10)
#loc1157 = loc("a.mlir":1446:3)
#loc1158 = loc("a.mlir":1448:1)
#loc1160 = loc("a.mlir":1450:10)
#loc1161 = loc("a.mlir":1451:3)
#loc1162 = loc("a.mlir":1453:1)
#loc1164 = loc("a.mlir":1455:10)
#loc1165 = loc("a.mlir":1456:3)
#loc1166 = loc("a.mlir":1458:1)
#loc1168 = loc("a.mlir":1460:10)
#loc1169 = loc("a.mlir":1461:3)
#loc1170 = loc("a.mlir":1463:1)
#loc1172 = loc("a.mlir":1465:10)
#loc1173 = loc("a.mlir":1466:3)
#loc1174 = loc("a.mlir":1468:1)
#loc1176 = loc("a.mlir":1470:10)
#loc1177 = loc("a.mlir":1471:3)
#loc1178 = loc("a.mlir":1473:1)
#loc1180 = loc("a.mlir":1475:10)
#loc1181 = loc("a.mlir":1476:3)
#loc1182 = loc("a.mlir":1478:1)
#loc1184 = loc("a.mlir":1480:10)
#loc1185 = loc("a.mlir":1481:3)
#loc1186 = loc("a.mlir":1483:1)
#loc1188 = loc("a.mlir":1485:10)
#loc1189 = loc("a.mlir":1486:3)
#loc1190 = loc("a.mlir":1488:1)
#loc1192 = loc("a.mlir":1490:10)
#loc1193 = loc("a.mlir":1491:3)
#loc1194 = loc("a.mlir":1493:1)
#loc1196 = loc("a.mlir":1495:10)
#loc1197 = loc("a.mlir":1496:3)
#loc1198 = loc("a.mlir":1498:1)
#loc1200 = loc("a.mlir":1500:10)
#loc1201 = loc("a.mlir":1501:3)
#loc1202 = loc("a.mlir":1503:1)
#loc1204 = loc("a.mlir":1505:10)
#loc1205 = loc("a.mlir":1506:3)
#loc1206 = loc("a.mlir":1508:1)
#loc1208 = loc("a.mlir":1510:10)
#loc1209 = loc("a.mlir":1511:3)
#loc1210 = loc("a.mlir":1513:1)
#loc1212 = loc("a.mlir":1515:10)
#loc1213 = loc("a.mlir":1516:3)
#loc1214 = loc("a.mlir":1518:1)
#loc1216 = loc("a.mlir":1520:10)
#loc1217 = loc("a.mlir":1521:3)
#loc1218 = loc("a.mlir":1523:1)
#loc1220 = loc("a.mlir":1525:10)
#loc1221 = loc("a.mlir":1526:3)
#loc1222 = loc("a.mlir":1528:1)
#loc1224 = loc("a.mlir":1530:10)
#loc1225 = loc("a.mlir":1531:3)
#loc1226 = loc("a.mlir":1533:1)
#loc1228 = loc("a.mlir":1535:10)
#loc1229 = loc("a.mlir":1536:3)
#loc1230 = loc("a.mlir":1538:1)
#loc1232 = loc("a.mlir":1540:10)
#loc1233 = loc("a.mlir":1541:3)
#loc1234 = loc("a.mlir":1543:1)
#loc1236 = loc("a.mlir":1545:10)
#loc1237 = loc("a.mlir":1546:3)
#loc1238 = loc("a.mlir":1548:1)
#loc1240 = loc("a.mlir":1550:10)
#loc1241 = loc("a.mlir":1551:3)
#loc1242 = loc("a.mlir":1553:1)
#loc1244 = loc("a.mlir":1555:10)
#loc1245 = loc("a.mlir":1556:3)
#loc1246 = loc("a.mlir":1558:1)
#loc1248 = loc("a.mlir":1560:10)
#loc1249 = loc("a.mlir":1561:3)
#loc1250 = loc("a.mlir":1563:1)
#loc1252 = loc("a.mlir":1565:10)
#loc1253 = loc("a.mlir":1566:3)
#loc1254 = loc("a.mlir":1568:1)
#loc1256 = loc("a.mlir":1570:10)
#loc1257 = loc("a.mlir":1571:3)
#loc1258 = loc("a.mlir":1573:1)
#loc1260 = loc("a.mlir":1575:10)
#loc1261 = loc("a.mlir":1576:3)
#loc1262 = loc("a.mlir":1578:1)
#loc1264 = loc("a.mlir":1580:10)
#loc1265 = loc("a.mlir":1581:3)
#loc1266 = loc("a.mlir":1583:1)
#loc1268 = loc("a.mlir":1585:10)
#loc1269 = loc("a.mlir":1586:3)
#loc1270 = loc("a.mlir":1588:1)
#loc1272 = loc("a.mlir":1590:10)
#loc1273 = loc("a.mlir":1591:3)
#loc1274 = loc("a.mlir":1593:1)
#loc1276 = loc("a.mlir":1595:10)
#loc1277 = loc("a.mlir":1596:3)
#loc1278 = loc("a.mlir":1598:1)
#loc1280 = loc("a.mlir":1600:10)
#loc1281 = loc("a.mlir":1601:3)
#loc1282 = loc("a.mlir":1603:1)
#loc1284 = loc("a.mlir":1605:10)
#loc1285 = loc("a.mlir":1606:3)
#loc1286 = loc("a.mlir":1608:1)
#loc1288 = loc("a.mlir":1610:10)
#loc1289 = loc("a.mlir":1611:3)
#loc1290 = loc("a.mlir":1613:1)
#loc1292 = loc("a.mlir":1615:10)
#loc1293 = loc("a.mlir":1616:3)
#loc1294 = loc("a.mlir":1618:1)
#loc1296 = loc("a.mlir":1620:10)
#loc1297 = loc("a.mlir":1621:3)
#loc1298 = loc("a.mlir":1623:1)
#loc1300 = loc("a.mlir":1625:10)
#loc1301 = loc("a.mlir":1626:3)
#loc1302 = loc("a.mlir":1628:1)
#loc1304 = loc("a.mlir":1630:10)
#loc1305 = loc("a.mlir":1631:3)
#loc1306 = loc("a.mlir":1633:1)
#loc1308 = loc("a.mlir":1635:10)
#loc1309 = loc("a.mlir":1636:3)
#loc1310 = loc("a.mlir":1638:1)
#loc1312 = loc("a.mlir":1640:10)
#loc1313 = loc("a.mlir":1641:3)
#loc1314 = loc("a.mlir":1643:1)
#loc1316 = loc("a.mlir":1645:10)
#loc1317 = loc("a.mlir":1646:3)
#loc1318 = loc("a.mlir":1648:1)
#loc1320 = loc("a.mlir":1650:10)
#loc1321 = loc("a.mlir":1651:3)
#loc1322 = loc("a.mlir":1653:1)
#loc1324 = loc("a.mlir":1655:10)
#loc1325 = loc("a.mlir":1656:3)
#loc1326 = loc("a.mlir":1658:1)
#loc1328 = loc("a.mlir":1660:10)
#loc1329 = loc("a.mlir":1661:3)
#loc1330 = loc("a.mlir":1663:1)
#loc1332 = loc("a.mlir":1665:10)
#loc1333 = loc("a.mlir":1666:3)
#loc1334 = loc("a.mlir":1668:1)
#loc1336 = loc("a.mlir":1670:10)
#loc1337 = loc("a.mlir":1671:3)
#loc1338 = loc("a.mlir":1673:1)
#loc1340 = loc("a.mlir":1675:10)
#loc1341 = loc("a.mlir":1676:3)
#loc1342 = loc("a.mlir":1678:1)
#loc1344 = loc("a.mlir":1680:10)
#loc1345 = loc("a.mlir":1681:3)
#loc1346 = loc("a.mlir":1683:1)
#loc1348 = loc("a.mlir":1685:10)
#loc1349 = loc("a.mlir":1686:3)
#loc1350 = loc("a.mlir":1688:1)
#loc1352 = loc("a.mlir":1690:10)
#loc1353 = loc("a.mlir":1691:3)
#loc1354 = loc("a.mlir":1693:1)
#loc1356 = loc("a.mlir":1695:10)
#loc1357 = loc("a.mlir":1696:3)
#loc1358 = loc("a.mlir":1698:1)
#loc1360 = loc("a.mlir":1700:10)
#loc1361 = loc("a.mlir":1701:3)
#loc1362 = loc("a.mlir":1703:1)
#loc1364 = loc("a.mlir":1705:10)
#loc1365 = loc("a.mlir":1706:3)
#loc1366 = loc("a.mlir":1708:1)
#loc1368 = loc("a.mlir":1710:10)
#loc1369 = loc("a.mlir":1711:3)
#loc1370 = loc("a.mlir":1713:1)
#loc1372 = loc("a.mlir":1715:10)
#loc1373 = loc("a.mlir":1716:3)
#loc1374 = loc("a.mlir":1718:1)
#loc1376 = loc("a.mlir":1720:10)
#loc1377 = loc("a.mlir":1721:3)
#loc1378 = loc("a.mlir":1723:1)
#loc1380 = loc("a.mlir":1725:10)
#loc1381 = loc("a.mlir":1726:3)
#loc1382 = loc("a.mlir":1728:1)
#loc1384 = loc("a.mlir":1730:10)
#loc1385 = loc("a.mlir":1731:3)
#loc1386 = loc("a.mlir":1733:1)
#loc1388 = loc("a.mlir":1735:10)
#loc1389 = loc("a.mlir":1736:3)
#loc1390 = loc("a.mlir":1738:1)
#loc1392 = loc("a.mlir":1740:10)
#loc1393 = loc("a.mlir":1741:3)
#loc1394 = loc("a.mlir":1743:1)
#loc1396 = loc("a.mlir":1745:10)
#loc1397 = loc("a.mlir":1746:3)
#loc1398 = loc("a.mlir":1748:1)
#loc1400 = loc("a.mlir":1750:10)
#loc1401 = loc("a.mlir":1751:3)
#loc1402 = loc("a.mlir":1753:1)
#loc1404 = loc("a.mlir":1755:10)
#loc1405 = loc("a.mlir":1756:3)
#loc1406 = loc("a.mlir":1758:1)
#loc1408 = loc("a.mlir":1760:10)
#loc1409 = loc("a.mlir":1761:3)
#loc1410 = loc("a.mlir":1763:1)
#loc1412 = loc("a.mlir":1765:10)
#loc1413 = loc("a.mlir":1766:3)
#loc1414 = loc("a.mlir":1768:1)
#loc1416 = loc("a.mlir":1770:10)
#loc1417 = loc("a.mlir":1771:3)
#loc1418 = loc("a.mlir":1773:1)
#loc1420 = loc("a.mlir":1775:10)
#loc1421 = loc("a.mlir":1776:3)
#loc1422 = loc("a.mlir":1778:1)
#loc1424 = loc("a.mlir":1780:10)
#loc1425 = loc("a.mlir":1781:3)
#loc1426 = loc("a.mlir":1783:1)
#loc1428 = loc("a.mlir":1785:10)
#loc1429 = loc("a.mlir":1786:3)
#loc1430 = loc("a.mlir":1788:1)
#loc1432 = loc("a.mlir":1790:10)
#loc1433 = loc("a.mlir":1791:3)
#loc1434 = loc("a.mlir":1793:1)
#loc1436 = loc("a.mlir":1795:10)
#loc1437 = loc("a.mlir":1796:3)
#loc1438 = loc("a.mlir":1798:1)
#loc1440 = loc("a.mlir":1800:10)
#loc1441 = loc("a.mlir":1801:3)
#loc1442 = loc("a.mlir":1803:1)
#loc1444 = loc("a.mlir":1805:10)
#loc1445 = loc("a.mlir":1806:3)
#loc1446 = loc("a.mlir":1809:1)
