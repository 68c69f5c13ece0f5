%% snippet:doc https://www.erlang.org/doc/apps/erts/escript_cmd.html escript
%% snippet:prints ["a.txt","b.txt"]
%% snippet:prints --top wants a number from 1, not x
%% snippet:prints --top wants a number
%% snippet:prints unknown option -q
%% snippet:prints usage: words [--top N] [--verbose] FILE...
%% snippet:prints unknown option --quiet
%% snippet:prints usage: words [--top N] [--verbose] FILE...
%% snippet:prints usage: words [--top N] [--verbose] FILE...
-module(options).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([parse/1]).

-define(USAGE, "usage: words [--top N] [--verbose] FILE...").

%% {ok, Options} or {error, Message}; halting is left to main/1 of the escript.
%% From OTP 26 on, the module argparse does this and more.
parse(Args) ->
    parse(Args, #{top => 10, verbose => false, files => []}).

parse(["--top", Text | Rest], Options) ->
    case string:to_integer(Text) of
        {N, ""} when is_integer(N), N > 0 -> parse(Rest, Options#{top := N});
        _ -> {error, "--top wants a number from 1, not " ++ Text}
    end;
parse(["--top"], _Options) ->
    {error, "--top wants a number"};
parse(["--verbose" | Rest], Options) ->
    parse(Rest, Options#{verbose := true});
parse(["-" ++ _ = Unknown | _], _Options) ->
    {error, "unknown option " ++ Unknown ++ "\n" ++ ?USAGE};
parse([File | Rest], #{files := Files} = Options) ->
    parse(Rest, Options#{files := [File | Files]});
parse([], #{files := []}) ->
    {error, ?USAGE};
parse([], #{files := Files} = Options) ->
    {ok, Options#{files := lists:reverse(Files)}}.
%% snippet:check
main() ->
    {ok, #{top := 3, verbose := true, files := Files}} = parse(["--top", "3", "a.txt", "--verbose", "b.txt"]),
    io:format("~p~n", [Files]),
    [io:format("~s~n", [element(2, parse(Bad))]) || Bad <- [["--top", "x"], ["--top"], ["-q"], ["--quiet"], []]].
