/** The tables of docs/reference/limits.md of channels and of a website's visitors, as the constants of the code have them. */
import * as messaging from '../../src/core/limits/messaging.ts'
import * as visitors from '../../src/core/limits/visitors.ts'
import { bytes, characters, days, hours, seconds, text, type LimitTables } from './limit-words.ts'
import { watched } from './watched-limits.ts'

const { CHANNEL_LIMITS, VOICE_LIMITS } = watched(messaging)
const { ENQUIRY_LIMITS, SITE_LIMITS, STREAM_LIMITS, VISITOR_LIMITS } = watched(visitors)

export const CHANNEL_TABLES: LimitTables = {
  Channels: {
    'Name of a channel': characters(CHANNEL_LIMITS.nameChars),
    'Access token': characters(CHANNEL_LIMITS.accessTokenChars),
    'App secret': characters(CHANNEL_LIMITS.appSecretChars),
    'Verify token': `${CHANNEL_LIMITS.minVerifyTokenChars} to ${characters(CHANNEL_LIMITS.verifyTokenChars)}`,
    'Templates are read again': `every ${hours(CHANNEL_LIMITS.templatesEveryMs)}`,
    'Secret of a call provider': `${VOICE_LIMITS.minSecretChars} to ${characters(VOICE_LIMITS.secretChars)}`,
    'Age of a report of a call': seconds(VOICE_LIMITS.signatureAgeMs),
    "The owner's reply keeps flows out": `${CHANNEL_LIMITS.minTakeOverHours} to ${CHANNEL_LIMITS.maxTakeOverHours} h`,
  },
  "The website's chat and form": {
    'Sites of a channel': `${SITE_LIMITS.origins}, of ${characters(SITE_LIMITS.originChars)} each`,
    'Greeting of the chat': characters(SITE_LIMITS.greetingChars),
    'Name of a visitor': characters(VISITOR_LIMITS.nameChars),
    'Id that the page gives a message': characters(VISITOR_LIMITS.clientMessageIdChars),
    'Body of a message': bytes(VISITOR_LIMITS.bodyBytes),
    'Messages of a page': `${VISITOR_LIMITS.pageMessages}`,
    'A visitor who does not come back is forgotten after': days(VISITOR_LIMITS.forgottenMs),
    'Requests of an address': `${VISITOR_LIMITS.requestsPerAddressPerMinute} a minute`,
    'Messages of an address, of a visitor': `${VISITOR_LIMITS.messagesPerAddressPerMinute}, ${VISITOR_LIMITS.messagesPerVisitorPerMinute} a minute`,
    'Conversations of an address': `${VISITOR_LIMITS.talksPerAddressPerHour} an hour`,
    'A file of a visitor': bytes(VISITOR_LIMITS.uploadBytes),
    'Files of an address, of a visitor': `${VISITOR_LIMITS.uploadsPerAddressPerHour}, ${VISITOR_LIMITS.uploadsPerVisitorPerHour} an hour`,
    'Files of a visitor, of an address, of an account': `${text(VISITOR_LIMITS.uploadedBytesOfVisitorPerDay)}, ${text(VISITOR_LIMITS.uploadedBytesOfAddressPerDay)}, ${bytes(VISITOR_LIMITS.uploadedBytesOfAccountPerDay)} a day`,
    'Open chats of a visitor, of an address': `${STREAM_LIMITS.perVisitor}, ${STREAM_LIMITS.perAddress}`,
    'Enquiries of an address': `${ENQUIRY_LIMITS.perAddressPerMinute} a minute`,
    'Body of an enquiry': bytes(ENQUIRY_LIMITS.bodyBytes),
    'Id, name, phone of an enquiry': `${ENQUIRY_LIMITS.idChars}, ${ENQUIRY_LIMITS.nameChars}, ${characters(ENQUIRY_LIMITS.phoneChars)}`,
    'Message, address of the page': `${text(ENQUIRY_LIMITS.messageChars)}, ${characters(ENQUIRY_LIMITS.pageChars)}`,
    'Filling in a form takes at least': seconds(ENQUIRY_LIMITS.minMs),
    'A time of sending is accepted for': days(ENQUIRY_LIMITS.oldestMs),
  },
}
