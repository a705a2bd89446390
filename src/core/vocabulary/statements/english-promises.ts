/** English words by which a text promises that a person will act, in small letters. */
import { phraseList, wordSet } from '../word-set.ts'

/** Words for people of the business. Couriers are none: that they call is how delivery works. */
export const STAFF = wordSet(
  `colleague colleagues team staff agent agents manager managers supervisor supervisors owner someone somebody
  representative representatives rep reps specialist specialists advisor advisors adviser operator operators human
  warehouse kitchen support department boss chef expert experts admin employee employees
  consultant consultants technician technicians accountant accounting finance reception receptionist management
  headquarters hq director engineer engineers secretary florist baker barista instructor coach trainer therapist
  dentist plumber electrician carpenter guard porter doorman teacher tutor vet lawyer decorator gardener cleaner
  hairdresser barber mechanic groomer photographer beautician cashier superior superiors higherups anyone coworker coworkers salesperson officer coordinator teammate teammates
  personnel department departments executive executives pharmacist doctor nurse stylist tailor buyer buyers logistics billing leadership
  sales person people crew workshop office desk counter studio lab designer designers founder girls guys lads boys
  ladies folks`,
)

/** Words for other parties, such as a courier or a bank: to have informed one of them is a deed. */
export const OTHERS = wordSet(
  `courier couriers driver drivers bank carrier supplier suppliers restaurant neighbour neighbor company branch
  vendor partner store shop salon clinic hotel concierge security garage rider hub depot seller manufacturer factory landlord caterer contractor airline porter doorman guard concierge vet them him her`,
)

/** Phrases that, after "I will" or "we will", promise to contact the customer later or to connect them to a person. */
export const COME_BACK = phraseList(`
  get back | getting back | follow up | following up | come back to | let you know | call you |
  contact you | reach out | be in touch | get in touch | update you | keep you | return to you |
  ring you | phone you | message you | write to you | write you | email you | text you |
  notify you | inform you | have an answer | get you an answer | contacting you | calling you |
  phoning you | ringing you | messaging you | texting you | emailing you | updating you |
  informing you | writing to you | reaching out | remind you | send you an update |
  send you a reminder | send you news | give you a call | give you a ring | give you an update |
  give you an answer | give you a buzz | drop you a | ping you | dm you | whatsapp you |
  buzz you | alert you | have someone | tell you what they | tell you what he |
  tell you what she | have news | circle back | check back | report back | be back | look into |
  take it from here | return with | find out and tell you | find out for you | take care of it from here | reply to you | answer you | connect you |
  transfer you | put you through | put you in touch | hand you | pass you | refer you |
  direct you to a | escalate | call back | be with you
`)

/** Beginnings of verbs, in any tense, that give the customer or the matter to a person: "transferred", "escalating". */
export const PASS_ON_BEGINNINGS: readonly string[] =
  'transferr transfer escalat forward pass flagg flag hand connect refer relay rais rout assign'.split(
    ' ',
  )

/** Participles that say of staff, after "is" or "will be", that they work on the matter or were informed of it. */
export const AT_WORK = wordSet(
  `working looking checking joining handling reviewing calling contacting preparing processing investigating
  following taking getting coming reaching dealing sorting going arranging answering picking typing writing
  ringing helping fixing connecting aware informed notified told alerted asked assigned involved updated
  contacted briefed messaged`,
)

/** Phrases that ask the customer to wait for a person, or to expect one, anywhere in a clause. */
export const WAITS = phraseList(`
  stay online | stay on the line | hold the line | hold on the line | stay connected |
  stay in the chat | stay in this chat | remain online | remain on the line |
  keep the chat open | while i transfer | while i connect | while i hand | while i get |
  while i ask | while i call | hear from us | hearing from | hear from our | hear from a |
  hear from the | hear from my | hear from someone | hear back | hear from one | expect a call |
  expect a reply | expect our reply | expect our call | expect our answer | expect our message |
  expect an answer | expect a response | expect a callback | get an answer from |
  get a reply from | have our answer | have our reply | expect to hear |
  expect a message from our | expect a message from the | expect a message from a |
  expect an email from our | expect an email from a | expect a text from our |
  expect a visit from | get a call | receive a call | get a callback | be contacted |
  wait for a call | wait for our call | wait for an answer | wait for our answer | wait for our reply |
  leave it with me | leave it with us | leave this with me | leave this with us |
  be called back | be transferred | be connected | help is on the way | joining this chat |
  joining the chat | joining you
`)
