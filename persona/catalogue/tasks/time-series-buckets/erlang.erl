%% snippet:doc https://www.erlang.org/doc/apps/stdlib/calendar.html calendar
%% snippet:prints 2026-01-01T00:00:00Z [2,4]
%% snippet:prints 2026-01-01T00:01:00Z []
%% snippet:prints 2026-01-01T00:02:00Z [7]
-module(buckets).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([buckets/2]).

%% Groups {UnixSeconds, Value} readings into intervals of Width seconds. An
%% interval without readings is listed as well: a gap is information.
buckets([], _Width) ->
    [];
buckets(Readings, Width) ->
    Groups = lists:foldr(
        fun({At, Value}, Acc) ->
            maps:update_with(floor(At / Width), fun(Vs) -> [Value | Vs] end, [Value], Acc)
        end,
        #{},
        Readings
    ),
    Indices = maps:keys(Groups),
    [
        {start(I * Width), maps:get(I, Groups, [])}
     || I <- lists:seq(lists:min(Indices), lists:max(Indices))
    ].

start(Seconds) ->
    calendar:system_time_to_rfc3339(Seconds, [{offset, "Z"}]).
%% snippet:check
main() ->
    Rows = buckets([{1767225600, 2}, {1767225620, 4}, {1767225730, 7}], 60),
    [io:format("~s ~w~n", [Start, Values]) || {Start, Values} <- Rows].
