# Reads a VTU file with VTK's own reader and prints what is in it, for test_vtu.sh:
#   points N, cells N, complaints N
#   volume PART VALUE            of the cells of a part
#   astray PART VALUE            farthest that a node on a side is from the middle of its side
#   value FIELD X Y Z U V W      a field at the point nearest to a place given as FIELD X Y Z
import sys
import vtk

complaints = []
reader = vtk.vtkXMLUnstructuredGridReader()
for event in ("ErrorEvent", "WarningEvent"):
    reader.AddObserver(event, lambda caller, what: complaints.append(what))
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutput()
print("points", grid.GetNumberOfPoints())
print("cells", grid.GetNumberOfCells())
print("complaints", len(complaints) + (reader.GetErrorCode() != 0))

sizes = vtk.vtkCellSizeFilter()
sizes.SetInputData(grid)
sizes.Update()
volumes = sizes.GetOutput().GetCellData().GetArray("Volume")
parts = grid.GetCellData().GetArray("part")
volume, astray = {}, {}
for i in range(grid.GetNumberOfCells()):
    part, cell = parts.GetValue(i), grid.GetCell(i)
    volume[part] = volume.get(part, 0.0) + volumes.GetValue(i)
    for k in range(cell.GetNumberOfEdges()):
        p = cell.GetEdge(k).GetPoints()
        if p.GetNumberOfPoints() == 3:
            a, b, middle = (p.GetPoint(j) for j in range(3))
            off = max(abs((a[c] + b[c]) / 2 - middle[c]) for c in range(3))
            astray[part] = max(astray.get(part, 0.0), off)
for part in sorted(volume):
    print("volume", part, "%.15g" % volume[part])
for part in sorted(astray):
    print("astray", part, "%.3g" % astray[part])

for i in range(2, len(sys.argv), 4):
    place = [float(text) for text in sys.argv[i + 1:i + 4]]
    values = grid.GetPointData().GetArray(sys.argv[i]).GetTuple(grid.FindPoint(place))
    print("value", sys.argv[i].replace(" ", "_"), *place, *("%.17g" % v for v in values))
