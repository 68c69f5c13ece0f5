% snippet:doc https://www.mathworks.com/help/matlab/ref/filter.html filter
% snippet:title Debounce a recorded contact
% snippet:description Clean the recorded samples of a bouncing contact: the state changes only when the last three samples agree.
% snippet:description Then count the presses.
% snippet:why A mechanical contact bounces for milliseconds; one press must count once.
raw  = [0 0 0 1 0 1 1 1 1 0 1 1 1 0 0 0 0];
hold_for = 3; % samples

% A contact has settled when the last samples agree; until then the old state stays.
agree  = filter(ones(1, hold_for), 1, raw);
steady = repmat(raw(1), size(raw));
for k = 2:numel(raw)
  steady(k) = steady(k - 1);
  if agree(k) == hold_for
    steady(k) = 1;
  elseif agree(k) == 0
    steady(k) = 0;
  end
end
fprintf("%d", raw);    fprintf("\n");
fprintf("%d", steady); fprintf("\n");
fprintf("presses: %d\n", sum(diff(steady) == 1));
% snippet:prints 00010111101110000
% snippet:prints 00000001111111100
% snippet:prints presses: 1
