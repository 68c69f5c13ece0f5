// snippet:doc https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#handling-credentials Handling credentials
// snippet:about Jenkins
pipeline {
    agent any
    stages {
        stage('Push') {
            environment {
                REGISTRY = credentials('registry') // a name and a password: REGISTRY_USR, REGISTRY_PSW
            }
            steps {
                // In single quotes the shell reads the variables; on standard input no process list shows the password.
                sh 'printf %s "$REGISTRY_PSW" | docker login -u "$REGISTRY_USR" --password-stdin registry.example.com'
                sh 'docker push registry.example.com/shop'
            }
            post {
                always {
                    sh 'docker logout registry.example.com' // else the agent stays logged in
                }
            }
        }
        stage('Wait') {
            steps {
                withCredentials([file(credentialsId: 'kubeconfig', variable: 'KUBECONFIG')]) {
                    sh 'kubectl rollout status deployment/shop --timeout=5m'
                }
            }
        }
    }
}
