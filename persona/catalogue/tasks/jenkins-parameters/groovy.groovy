// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#parameters Parameters
// snippet:about Jenkins
pipeline {
    agent any
    parameters {
        choice(name: 'TARGET', choices: ['staging', 'production'], description: 'Where to')
        string(name: 'VERSION', defaultValue: '', trim: true, description: 'Such as 1.4.2')
        booleanParam(name: 'DRY_RUN', defaultValue: true, description: 'Show only what would change')
    }
    stages {
        stage('Check') {
            steps {
                script {
                    if (!(params.VERSION ==~ /\d+\.\d+\.\d+/)) {
                        error "VERSION '${params.VERSION}': expected one such as 1.4.2"
                    }
                }
            }
        }
        stage('Plan') {
            steps {
                sh './deploy --plan "$TARGET" "$VERSION"' // single quotes: the shell reads the variables
            }
        }
        stage('Deploy') {
            when {
                expression { !params.DRY_RUN }
            }
            steps {
                sh './deploy "$TARGET" "$VERSION"'
            }
        }
    }
}
