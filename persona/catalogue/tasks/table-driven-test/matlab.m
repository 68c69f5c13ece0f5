% snippet:doc https://www.mathworks.com/help/matlab/ref/assert.html assert
rms_of = @(x) sqrt(mean(x .^ 2));

% name, input, expected
cases = {
  "constant",      [2 2 2],             2
  "signs cancel",  [-3 3 -3 3],         3
  "single sample", 5,                   5
  "sine",          sin(2*pi*(0:99)/100), sqrt(1/2)
};
failures = 0;
for k = 1:size(cases, 1)
  [name, input, expected] = cases{k, :};
  ok = abs(rms_of(input) - expected) < 1e-12; % never compare floating point with ==
  failures = failures + ~ok;
  verdict = {"FAIL", "ok  "};
  fprintf("%s %s\n", verdict{ok + 1}, name);
end
assert(failures == 0)
% snippet:prints ok   constant
% snippet:prints ok   signs cancel
% snippet:prints ok   single sample
% snippet:prints ok   sine
