% Seconds on two clocks, of the wall and of the processor: min(octave_clock() - before) is what
% something took, also on a machine that has other things to do.
function seconds = octave_clock()
  seconds = [time(), cputime()];
end
