# The density of the synthetic truth, three blocks: awk -f density.awk >truth.csv
# A falling power law with a hump at 6 um, scaled to the stuck stiffness 11.02e6 N/m; level before the first row.
function shape(phi) { return phi^(-0.35)*(1 + 0.9*exp(-(log(phi/6e-6)/0.7)^2)) }
BEGIN {
  n = 120
  for (i = 1; i <= n; i++) phi[i] = 2e-8*exp((i - 1)/(n - 1)*log(1.2e-4/2e-8))
  for (i = 1; i <= n; i++) {
    rho[i] = shape(phi[i])
    K += i == 1 ? rho[1]*phi[1] : (rho[i] + rho[i - 1])/2*(phi[i] - phi[i - 1])
  }
  print "phi [m],rho [N/m^2]"
  for (i = 0; i <= n; i++) printf "%.7g,%.7g\n", phi[i], 11.02e6/K*rho[i ? i : 1]
}
