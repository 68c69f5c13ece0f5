% snippet:why One bad job must not cost the results of the others.
% snippet:description Run a list of jobs one after the other and go on when one fails. The results and the errors
% snippet:description are kept by job, and the failures are listed at the end.
% snippet:doc https://www.mathworks.com/help/matlab/ref/cellfun.html cellfun
% snippet:title Run every job, and collect what failed
jobs = {@() sum(1:100), @() chol([1 2; 2 1]), @() norm([3 4])};

% One failing job must not cost the results of an hour.
[results, problems] = deal(cell(size(jobs)));
for k = 1:numel(jobs)
  try
    results{k} = jobs{k}();
  catch err
    problems{k} = err; % not its message, which may be empty
  end
end
failed = ~cellfun(@isempty, problems);
fprintf("%d done, %d failed\n", sum(~failed), sum(failed));
for k = find(failed(:)')
  fprintf("job %d failed\n", k); % problems{k}.message says why
end
% snippet:prints 2 done, 1 failed
% snippet:prints job 2 failed
