// snippet:doc https://www.jenkins.io/doc/book/pipeline/syntax/#declarative-matrix Declarative matrix
// snippet:about Jenkins
pipeline {
    agent none
    stages {
        stage('Test') {
            matrix {
                axes {
                    axis { name 'PYTHON'; values '3.10', '3.12', '3.14' }
                    axis { name 'DATABASE'; values 'sqlite', 'postgres' }
                }
                excludes {
                    exclude { // the oldest is promised for SQLite only
                        axis { name 'PYTHON'; values '3.10' }
                        axis { name 'DATABASE'; values 'postgres' }
                    }
                }
                agent {
                    label "python-${PYTHON}"
                }
                stages {
                    stage('pytest') {
                        steps {
                            sh 'python3 -m pytest' // the tests read DATABASE
                        }
                    }
                }
            }
        }
    }
}
