// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/ Pipeline syntax
// snippet:about Jenkins
pipeline {
    agent any
    options {
        timeout(time: 20, unit: 'MINUTES')
        buildDiscarder(logRotator(numToKeepStr: '30'))
    }
    stages {
        stage('Build') {
            steps {
                sh './gradlew --no-daemon assemble'
            }
        }
        stage('Test') {
            steps {
                sh './gradlew --no-daemon cleanTest check' // what Gradle skips leaves old reports, which junit refuses
            }
            post {
                always { // a run that failed has the most interesting report
                    junit 'build/test-results/**/*.xml'
                }
            }
        }
    }
    post {
        success {
            archiveArtifacts artifacts: 'build/libs/*.jar', fingerprint: true
        }
    }
}
