// A block of hexahedra of 1.3 x 0.7 x 0.9 with named faces, an edge and a point.
SetFactory("Built-in");
Point(1) = {0.2, -0.1, 0.3};
Extrude {1.3, 0, 0} { Point{1}; Layers{3}; Recombine; }
Extrude {0, 0.7, 0} { Curve{1}; Layers{2}; Recombine; }
Extrude {0, 0, 0.9} { Surface{5}; Layers{2}; Recombine; }
Physical Volume("body", 7) = {1};
Physical Volume("all", 8) = {1};
Physical Surface("bottom", 3) = {5};
Physical Surface("left side", 4) = {26};
Physical Curve("edge", 2) = {1};
Physical Point("corner", 9) = {1};
