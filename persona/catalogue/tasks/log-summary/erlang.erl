%% snippet:doc https://www.erlang.org/doc/apps/stdlib/re.html re
%% snippet:prints 2026-03-01T10 2 disk full
%% snippet:prints 2026-03-01T11 1 timeout
-module(log_summary).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([errors_per_hour/1]).

-define(LOG_LINE, "^(\\d{4}-\\d\\d-\\d\\dT\\d\\d):\\d\\d:\\d\\d\\S* ([A-Z]+) (.*?)\\r?$").

%% {Hour, Errors, FirstMessage} per hour; the first is often the cause of the rest.
%% Lines are binaries or lists of bytes.
errors_per_hour(Lines) ->
    {ok, Pattern} = re:compile(?LOG_LINE),
    Errors = [
        {Hour, Message}
     || Line <- Lines,
        {match, [Hour, <<"ERROR">>, Message]} <-
            [re:run(Line, Pattern, [{capture, all_but_first, binary}])]
    ],
    Groups = lists:foldr(
        fun({Hour, Message}, Acc) ->
            {Count, _} = maps:get(Hour, Acc, {0, none}),
            Acc#{Hour => {Count + 1, Message}}
        end,
        #{},
        Errors
    ),
    [{Hour, Count, First} || {Hour, {Count, First}} <- lists:sort(maps:to_list(Groups))].
%% snippet:check
main() ->
    Log = ["2026-03-01T09:59:58Z INFO started", "2026-03-01T10:00:01Z ERROR disk full\r\n", "  at write", "2026-03-01T10:zz ERROR no time",
           "2026-03-01T10:00:02Z ERROR write failed", "2026-03-01T11:10:00Z ERROR timeout"],
    [io:format("~s ~p ~s~n", [H, N, M]) || {H, N, M} <- errors_per_hour(Log)].
