// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#when When
// snippet:about Jenkins
// snippet:needs a multibranch pipeline
pipeline {
    agent none
    stages {
        stage('Server') {
            when {
                beforeAgent true
                anyOf {
                    branch 'main'
                    changeset 'server/**'
                    changeset 'shared/**'
                    expression { currentBuild.previousBuild == null } // nothing to compare with
                }
            }
            agent any
            steps {
                sh './gradlew --no-daemon :server:check'
            }
        }
        stage('Page') {
            when {
                beforeAgent true
                anyOf {
                    branch 'main'
                    changeset 'page/**'
                    changeset 'shared/**'
                    expression { currentBuild.previousBuild == null }
                }
            }
            agent any
            steps {
                sh 'cd page && npm ci && npm test'
            }
        }
    }
}
