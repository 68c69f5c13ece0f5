%% snippet:doc https://www.erlang.org/doc/apps/kernel/file.html file
%% snippet:needs Erlang/OTP 24
%% snippet:prints {"a":1} []
%% snippet:prints {error,enoent}
%% snippet:prints {error,eisdir} []
-module(atomic_file).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([write/2]).

%% Replaces Path: readers see the old content or the new one, never half of it.
%% The permissions are those of any new file.
-spec write(string(), iodata()) -> ok | {error, file:posix() | badarg | terminated}.
write(Path, Content) ->
    %% random: erlang:unique_integer is unique only until the node restarts
    Unique = binary_to_list(binary:encode_hex(crypto:strong_rand_bytes(8))),
    Temporary = Path ++ "." ++ Unique ++ ".tmp",
    case file:open(Temporary, [write, exclusive, raw]) of
        {ok, File} ->
            Written = first_error([
                fun() -> file:write(File, Content) end,
                fun() -> file:sync(File) end % on the disk before it gets its name
            ]),
            Closed = file:close(File),
            Steps = [fun() -> Written end, fun() -> Closed end, fun() -> file:rename(Temporary, Path) end],
            Result = first_error(Steps),
            Result =:= ok orelse file:delete(Temporary),
            Result;
        Error -> Error
    end.

first_error([]) -> ok;
first_error([Step | Rest]) ->
    case Step() of
        ok -> first_error(Rest);
        {error, _} = Error -> Error
    end.
%% snippet:check
main() ->
    ok = write("settings.json", "{}"),
    ok = write("settings.json", ["{\"a\":", "1}"]),
    {ok, Data} = file:read_file("settings.json"),
    io:format("~s ~p~n", [Data, filelib:wildcard("*.tmp")]),
    io:format("~p~n", [write("no/such/file", "")]),
    ok = file:make_dir("folder"),
    io:format("~p ~p~n", [write("folder", ""), filelib:wildcard("*.tmp")]).
