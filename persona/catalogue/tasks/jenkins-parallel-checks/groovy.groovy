// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#parallel Parallel stages
// snippet:about Jenkins
pipeline {
    agent none
    stages {
        stage('Checks') {
            failFast true // the first one that fails ends the others
            parallel {
                stage('Style') {
                    agent any
                    steps {
                        sh 'npm ci && npm run lint'
                    }
                }
                stage('Tests') {
                    agent any
                    steps {
                        sh 'npm ci && npm test'
                    }
                }
                stage('Licences') {
                    agent any
                    steps {
                        sh './check-licences'
                    }
                }
            }
        }
        stage('Package') {
            agent any
            steps {
                sh 'npm ci && npm pack'
            }
        }
    }
}
