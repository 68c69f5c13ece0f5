# snippet:doc https://pester.dev/docs/usage/data-driven-tests Data driven tests in Pester
# snippet:into Save it as slug.Tests.ps1: Invoke-Pester
# snippet:needs Pester 5.5
# snippet:title A table-driven test with Pester
#Requires -Modules @{ ModuleName = 'Pester'; ModuleVersion = '5.5.0' }

BeforeAll {
    function ConvertTo-Slug([string]$Title) {
        ($Title.ToLowerInvariant() -replace '[^a-z0-9]+', '-').Trim('-')
    }
}

Describe 'ConvertTo-Slug' {
    It '<title> becomes "<slug>"' -ForEach @(
        @{ Title = 'Hello World'; Slug = 'hello-world' }
        @{ Title = '  spaces  around '; Slug = 'spaces-around' }
        @{ Title = 'C# & F#: a tour'; Slug = 'c-f-a-tour' }
        @{ Title = '---'; Slug = '' }
    ) {
        ConvertTo-Slug $Title | Should -BeExactly $Slug
    }

    It 'is stable: a slug stays as it is' {
        ConvertTo-Slug 'already-a-slug' | Should -BeExactly 'already-a-slug'
    }
}
