% snippet:doc https://www.mathworks.com/help/matlab/ref/weekday.html weekday
first    = datenum(2026, 12, 21); % day numbers also work in Octave, which has no datetime
last     = datenum(2027, 1, 4);
holidays = [datenum(2026, 12, 25), datenum(2027, 1, 1)];

days    = first:last;
working = ~ismember(weekday(days), [1 7]) & ~ismember(days, holidays); % 1 is Sunday

fprintf("%d working days\n", sum(working));
dates = days(working);
fprintf("the fifth is %s\n", datestr(dates(5), "yyyy-mm-dd"));
% snippet:prints 9 working days
% snippet:prints the fifth is 2026-12-28
