# snippet:doc https://www.gnu.org/software/make/manual/html_node/Setting.html Setting variables
# snippet:why A bucket that somebody opened is closed at the next upload.
# snippet:description Upload a folder, without hidden files and links, to a bucket that is versioned and refuses public access. Both are set again before each
# snippet:description upload, so a bucket that somebody opened is closed first.
# "make upload": the folder to a private, versioned bucket; credentials come from the profile.
BUCKET  ?= example-archive
FOLDER  ?= data
aws     := aws --profile archive --output text
sync     = $(aws) s3 sync "$(FOLDER)" "s3://$(BUCKET)/$(FOLDER)" --no-follow-symlinks --exclude '.*' --exclude '*/.*'

upload: private
	$(sync)

# Look before you leap: lists what would be sent, and sends nothing.
preview:
	$(sync) --dryrun

# Setting it again does no harm; a bucket that somebody opened is closed before the next upload.
private:
	$(aws) s3api put-public-access-block --bucket $(BUCKET) --public-access-block-configuration \
	  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
	$(aws) s3api put-bucket-versioning --bucket $(BUCKET) --versioning-configuration Status=Enabled

.PHONY: upload preview private
# snippet:check
.DEFAULT_GOAL := dry-run
dry-run: ; @$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) preview
# snippet:prints aws --profile archive --output text s3 sync "data" "s3://example-archive/data" --no-follow-symlinks --exclude '.*' --exclude '*/.*' --dryrun
