package persona
