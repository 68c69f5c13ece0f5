# Wrong variables end the run before a file is written; right ones are written, defaults apart.
mkdir queues.d
run() { ansible-playbook "$file" -e "queue_folder=$PWD/queues.d" -e "$1"; }
grep -v become: "$1" >run.yaml
file=run.yaml
if run '{"stage": "prod", "queues": [{"name": "mail"}]}' >first; then exit 1; fi
grep -q 'value of stage must be one of: test, production' first
if run '{"stage": "test", "queues": [{"nmae": "mail"}]}' >second; then exit 1; fi
grep -q 'nmae' second
if run '{"queues": []}' >third; then exit 1; fi
grep -q 'missing required arguments: stage' third
[ -z "$(ls queues.d)" ]
run '{"stage": "test", "queues": [{"name": "mail", "retention_days": 3}]}' >fourth
grep -q '"retention_days": 3' queues.d/test-mail.json
run '{"stage": "test", "queues": [{"name": "logs"}]}' >fifth
grep -q '"retention_days": 7' queues.d/test-logs.json
sed -e 's/^localhost/one stage=test\ntwo stage=wrong\n#/' hosts >two-hosts
sed -i -e 's/^\(one\|two\) .*/& ansible_connection=local/' two-hosts
if ANSIBLE_INVENTORY=two-hosts run '{"queues": [{"name": "mail"}]}' >sixth; then exit 1; fi
grep -q 'two.*FAILED\|two]: FAILED' sixth
run '{"stage": "test", "queues": [{"name": "a/x"}, {"name": "b/x"}]}' >seventh
grep -q '"a/x"' queues.d/test-a_x.json
grep -q '"b/x"' queues.d/test-b_x.json
if run '{"stage": "test", "queues": [{"name": "mail", "retention_days": "a week"}]}' >eighth; then exit 1; fi
grep -q 'cannot be converted to an int' eighth
run '{"stage": "test", "queues": [{"name": "text", "retention_days": "30"}]}' >ninth
grep -q '"retention_days": "30"' queues.d/test-text.json
