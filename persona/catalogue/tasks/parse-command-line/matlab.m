% snippet:why A wrong argument is refused by name, before the work begins.
% snippet:description A function with named arguments and defaults. Before the work begins, its arguments block converts each value
% snippet:description to its type or refuses it, and checks range and allowed names. The command help shows the comment at the top.
% snippet:doc https://www.mathworks.com/help/matlab/matlab_prog/function-argument-validation-1.html Function argument validation
% snippet:needs MATLAB R2021a
function result = fit_curve(file, options)
% FIT_CURVE  Fits a polynomial to the two columns of a table.
%   fit_curve("run1.csv", degree=3, plot=true); "help fit_curve" shows this text.
    arguments
        file (1,1) string {mustBeFile}
        options.degree (1,1) double {mustBeInteger, mustBePositive} = 1
        options.method (1,1) string {mustBeMember(options.method, ["ols", "robust"])} = "ols"
        options.plot (1,1) logical = false
    end

    data = readmatrix(file);
    [x, y] = deal(data(:, 1), data(:, 2));
    if options.method == "robust"
        y = filloutliers(y, "linear");
    end
    result = polyfit(x, y, options.degree);
    if options.plot
        plot(x, y, "o", x, polyval(result, x), "-");
    end
end
