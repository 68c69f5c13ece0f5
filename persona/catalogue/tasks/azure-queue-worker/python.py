# snippet:doc https://learn.microsoft.com/azure/storage/queues/storage-quickstart-queues-python Queue Storage for Python
# snippet:about Microsoft Azure
# snippet:into pip install azure-storage-queue, and call it with clients of your storage account.
# snippet:check
import azurite

# snippet:end
import logging
from collections.abc import Callable

from azure.storage.queue import QueueClient

ATTEMPTS = 5


def work_off(queue: QueueClient, poison: QueueClient, handle: Callable[[str], None]) -> None:
    # Whoever takes a message has two minutes for it; then anybody may take it, and deleting it here raises an error.
    for message in queue.receive_messages(visibility_timeout=120):
        if message.dequeue_count > ATTEMPTS:
            poison.send_message(message.content, time_to_live=-1)  # else gone in a week
            queue.delete_message(message)
            continue
        try:
            handle(message.content)
        except Exception:
            logging.exception("message %s, attempt %d", message.id, message.dequeue_count)
            queue.update_message(message, visibility_timeout=2**message.dequeue_count)
        else:
            queue.delete_message(message)


# snippet:check
logging.disable()
ATTEMPTS = 1
queue, poison = azurite.queue("orders"), azurite.queue("orders-poison")
for text in ["first", "bad", "third"]:
    queue.send_message(text)
handled = []


def handle(text):
    handled.append(text)
    if text == "bad":
        raise ValueError(text)


work_off(queue, poison, handle)
print(handled, queue.get_queue_properties().approximate_message_count)
for _ in range(100):
    work_off(queue, poison, handle)
    if queue.get_queue_properties().approximate_message_count == 0:
        break
    azurite.wait()
print(handled, [message.content for message in poison.receive_messages()])
# snippet:prints ['first', 'bad', 'third'] 1
# snippet:prints ['first', 'bad', 'third'] ['bad']
