# snippet:needs PowerShell 7.2
# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_functions_advanced_parameters Advanced parameters
<#
.SYNOPSIS
    Moves files that have not been written to for a while into an archive folder.
.EXAMPLE
    ./Move-OldFile.ps1 -Path ./logs -Archive ./old -Days 30 -WhatIf
#>
#Requires -Version 7.2
[CmdletBinding(SupportsShouldProcess)]
param(
    [Parameter(Mandatory, Position = 0)]
    [ValidateScript({ Test-Path -LiteralPath $_ -PathType Container }, ErrorMessage = "'{0}' is not a folder")]
    [string]$Path,

    [Parameter(Mandatory)]
    [string]$Archive,

    [ValidateRange(1, 3650)]
    [int]$Days = 90
)
$ErrorActionPreference = 'Stop'

$limit = (Get-Date).AddDays(-$Days)
$null = New-Item -ItemType Directory -Path $Archive -Force
Get-ChildItem -LiteralPath $Path -File | Where-Object LastWriteTime -LT $limit | ForEach-Object {
    if ($PSCmdlet.ShouldProcess($_.FullName, "move to $Archive")) {
        Move-Item -LiteralPath $_.FullName -Destination $Archive
    }
}
