// snippet:description The states of an order, each with its own data, and every allowed step between them in one function. What is
// snippet:description not allowed is answered with the reason: the state and the event, or that the basket is empty.
// snippet:doc https://docs.scala-lang.org/scala3/reference/enums/adts.html Algebraic data types
// snippet:needs Scala 3
// snippet:prints Right(Shipped(t9))
// snippet:prints Left(Ship(t9) is not possible in Basket(List(book)))
enum Order:
  case Basket(items: List[String])
  case Paid(items: List[String], receipt: String)
  case Shipped(tracking: String)

enum Event:
  case Pay(receipt: String)
  case Ship(tracking: String)

import Event.*, Order.*

/** Every state has just its own data; what is not listed is refused. */
def step(order: Order, event: Event): Either[String, Order] = (order, event) match
  case (Basket(Nil), Pay(_))         => Left("the basket is empty")
  case (Basket(items), Pay(receipt)) => Right(Paid(items, receipt))
  case (Paid(_, _), Ship(tracking))  => Right(Shipped(tracking))
  case _                             => Left(s"$event is not possible in $order")

/** Replays a history; after an event that is refused, none is applied. */
def replay(start: Order, events: Iterable[Event]): Either[String, Order] =
  events.foldLeft[Either[String, Order]](Right(start)) { (order, event) =>
    order.flatMap(step(_, event))
  }
// snippet:check
@main def check(): Unit =
  println(replay(Basket(List("book")), List(Pay("r1"), Ship("t9"))))
  println(replay(Basket(List("book")), List(Ship("t9"))))
