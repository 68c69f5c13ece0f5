// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#when When
// snippet:about Jenkins
// snippet:needs a multibranch pipeline
pipeline {
    agent any // it checks out first: only then are the changes known
    stages {
        stage('Server') {
            when {
                anyOf {
                    branch 'main'
                    changeset 'server/**'
                    changeset 'shared/**'
                    expression { currentBuild.previousBuild?.result != 'SUCCESS' } // none, or it failed
                }
            }
            steps {
                sh './gradlew --no-daemon :server:check'
            }
        }
        stage('Page') {
            when {
                anyOf {
                    branch 'main'
                    changeset 'page/**'
                    changeset 'shared/**'
                    expression { currentBuild.previousBuild?.result != 'SUCCESS' }
                }
            }
            steps {
                sh 'cd page && npm ci && npm test'
            }
        }
    }
}
