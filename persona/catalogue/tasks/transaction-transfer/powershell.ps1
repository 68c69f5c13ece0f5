# snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.data.common.dbtransaction DbTransaction
function Move-Amount {
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][System.Data.Common.DbConnection]$Connection,
        [Parameter(Mandatory)][long]$From,
        [Parameter(Mandatory)][long]$To,
        [Parameter(Mandatory)][ValidateRange(1, 100000000)][long]$Cents
    )
    $ErrorActionPreference = 'Stop' # else the updates would run even when no transaction could begin

    function Invoke-Update([string]$Sql, [long]$Account) {
        $command = $Connection.CreateCommand()
        $command.Transaction = $transaction
        $command.CommandText = $Sql
        foreach ($entry in @{ '@id' = $Account; '@n' = $Cents }.GetEnumerator()) {
            $parameter = $command.CreateParameter()
            $parameter.ParameterName, $parameter.Value = $entry.Key, $entry.Value
            $null = $command.Parameters.Add($parameter)
        }
        if ($command.ExecuteNonQuery() -ne 1) { throw "account ${Account}: not there, or its balance forbids it" }
    }

    $transaction = $Connection.BeginTransaction()
    try {
        Invoke-Update 'UPDATE account SET cents = cents - @n WHERE id = @id AND cents >= @n' $From
        Invoke-Update 'UPDATE account SET cents = cents + @n WHERE id = @id AND cents <= 9223372036854775807 - @n' $To
        $transaction.Commit()
    }
    finally { $transaction.Dispose() } # without a commit it rolls back
}
