// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#input Input
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
        stage('Production') {
            when {
                beforeInput true // else the question is asked on every branch
                branch 'main'
            }
            options {
                timeout(time: 1, unit: 'DAYS')
            }
            input {
                message 'Release to production?'
                ok 'Release'
                submitter 'release-team'
            }
            agent any
            steps {
                sh './deploy production'
            }
        }
    }
}
