% snippet:doc https://www.mathworks.com/help/matlab/ref/inputparser.html inputParser
% snippet:check
1;
% snippet:end
function options = fit_options(varargin)
  % Named options with defaults and checks: fit_options("degree", 3, "plot", true)
  p = inputParser;
  p.FunctionName = "fit_options";
  p.addParameter("degree", 1, @(n) isnumeric(n) && isscalar(n) && n >= 1 && n == fix(n));
  p.addParameter("method", "ols", @(m) any(strcmp(m, {"ols", "ridge"})));
  p.addParameter("plot", false, @islogical);
  p.parse(varargin{:});
  options = p.Results;
end
% snippet:check
o = fit_options("degree", 3, "plot", true);
printf("%d %s %d\n", o.degree, o.method, o.plot);
try
  fit_options("degree", 2.5);
catch
  disp("refused");
end
% snippet:prints 3 ols 1
% snippet:prints refused
