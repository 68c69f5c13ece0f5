package idp
