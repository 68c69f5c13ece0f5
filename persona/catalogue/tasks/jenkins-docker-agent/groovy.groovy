// snippet:doc https://www.jenkins.io/doc/book/pipeline/docker/ Using Docker with Pipeline
// snippet:about Jenkins
// snippet:needs Jenkins with Docker Pipeline
pipeline {
    agent none // each stage brings its own
    stages {
        stage('Page') {
            agent {
                docker { image 'node:22' }
            }
            environment {
                npm_config_cache = '.npm' // the user of the container may have no home
            }
            steps {
                sh 'npm ci && npm run build'
                stash name: 'page', includes: 'dist/**'
            }
        }
        stage('Server') {
            agent {
                docker { image 'maven:3-eclipse-temurin-21' }
            }
            steps {
                unstash 'page'
                sh 'mvn --batch-mode -Dmaven.repo.local=.m2 verify'
            }
        }
    }
}
