%%MatrixMarket matrix array integer symmetric
% kg: the lower triangle, column by column
3 3
3
0
0
2
0
4
