# usage: awk -f record.awk >record.csv
#
# A synthetic record that looks like a measured one (README.md has the equations): the sensor at the
# tip sees one mode of a structure with a bolted joint, a second mode, and noise.
function evaluate(A,   g, D) { # omega and zeta of the modal Iwan model at amplitude A < phi
  g = K_T*A - R*A^(chi + 2)/((chi + 1)*(chi + 2))
  D = 4*R*A^(chi + 3)/((chi + 2)*(chi + 3))
  omega = sqrt(K_inf + g/A)
  zeta = zeta_0*omega_0/omega + D/(2*pi*omega^2*A^2)
}
function noise() { return 0.0008*sqrt(-2*log(1 - rand()))*cos(2*pi*rand()) }
BEGIN {
  srand(20)
  pi = atan2(0, -1)
  omega_0 = 2*pi*118; zeta_0 = 1.1e-3; chi = -0.4; beta = 0.7; phi = 4e-5
  K_T = 0.06*omega_0^2; K_inf = omega_0^2 - K_T
  R = K_T*(chi + 1)/(phi^(chi + 1)*(1 + beta))
  rate = 2048; fine = 20; dt = 1/(rate*fine); A = 2.9e-5; psi = 0.4
  print "# Synthetic, not measured: see README.md"
  print "t [s],base [g],tip [g]"
  for (k = 0; k < 4096; k++) {
    t = k/rate
    evaluate(A)
    a = -omega^2*A*cos(psi)/9.80665
    b = 0.31*exp(-11.3*t)*cos(2*pi*471.7*t + 1.1)
    printf "%.6f,%.5f,%.5f\n", t, 0.021*a + 0.11*b + noise(), a + b + noise()
    for (s = 0; s < fine; s++) { # midpoint rule
      evaluate(A)
      middle = A*(1 - 0.5*dt*zeta*omega)
      evaluate(middle)
      A -= dt*zeta*omega*middle
      psi += dt*omega
    }
  }
}
