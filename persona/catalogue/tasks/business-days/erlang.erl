%% snippet:into Save it as work_calendar.erl: erlc work_calendar.erl, then erl -noshell -s work_calendar main -s init stop
%% snippet:doc https://www.erlang.org/doc/apps/stdlib/calendar.html calendar
%% snippet:prints {2026,5,4} 4
-module(work_calendar).
%% snippet:usage
-export([main/0]).
%% snippet:end
-export([add/3, count/3]).

%% Dates are {Year, Month, Day}; Holidays is a list of them.
is_workday(Date, Holidays) ->
    calendar:day_of_the_week(Date) =< 5 andalso not lists:member(Date, Holidays).

next(Date) ->
    calendar:gregorian_days_to_date(calendar:date_to_gregorian_days(Date) + 1).

%% The date Count working days after Date, which itself does not count.
add(Date, 0, _Holidays) ->
    Date;
add(Date, Count, Holidays) when Count > 0 ->
    Next = next(Date),
    case is_workday(Next, Holidays) of
        true -> add(Next, Count - 1, Holidays);
        false -> add(Next, Count, Holidays)
    end.

%% Working days from the first date up to, but without, the second.
count(Date, End, _Holidays) when Date >= End ->
    0;
count(Date, End, Holidays) ->
    Here = case is_workday(Date, Holidays) of true -> 1; false -> 0 end,
    Here + count(next(Date), End, Holidays).
%% snippet:usage
main() ->
    Holidays = [{2026, 5, 1}],
    io:format("~p ~p~n", [add({2026, 4, 30}, 1, Holidays), count({2026, 4, 27}, {2026, 5, 4}, Holidays)]).
