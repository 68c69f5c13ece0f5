%% snippet:doc https://www.erlang.org/doc/apps/crypto/crypto.html crypto
%% snippet:needs Erlang/OTP 24
%% snippet:prints {ok,<<"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03">>}
%% snippet:prints {error,enoent}
-module(checksum).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([sha256/1]).

-define(BLOCK, 65_536).

%% SHA-256 of a file in hexadecimal, read in blocks.
-spec sha256(file:name_all()) -> {ok, binary()} | {error, file:posix()}.
sha256(Path) ->
    case file:open(Path, [read, raw, binary, read_ahead]) of
        {ok, File} ->
            try
                update(File, crypto:hash_init(sha256))
            after
                file:close(File)
            end;
        {error, Reason} ->
            {error, Reason}
    end.

update(File, Context) ->
    case file:read(File, ?BLOCK) of
        {ok, Data} -> update(File, crypto:hash_update(Context, Data));
        eof -> {ok, string:lowercase(binary:encode_hex(crypto:hash_final(Context)))};
        {error, Reason} -> {error, Reason}
    end.
%% snippet:check
main() ->
    Path = "snippet.txt",
    ok = file:write_file(Path, "hello\n"),
    io:format("~p~n", [sha256(Path)]),
    io:format("~p~n", [sha256("no-such-file")]).
