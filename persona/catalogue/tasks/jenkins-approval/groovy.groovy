// snippet:doc https://www.jenkins.io/doc/pipeline/steps/pipeline-input-step/ input
// snippet:about Jenkins
// snippet:needs a multibranch pipeline
pipeline {
    agent none // nothing is held while people decide
    options {
        disableConcurrentBuilds()
    }
    stages {
        stage('Staging') {
            agent any
            steps {
                sh './deploy staging'
            }
        }
        stage('Approval') {
            when {
                branch 'main'
            }
            steps {
                timeout(time: 1, unit: 'DAYS') { // the question only, not the release
                    input message: 'Release to production?', ok: 'Release', submitter: 'release-team'
                }
            }
        }
        stage('Production') {
            when {
                branch 'main'
            }
            agent any
            steps {
                sh './deploy production'
            }
        }
    }
}
