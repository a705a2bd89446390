/**
 * Constants of `src/core/limits` that are in no table of docs/reference/limits.md: the keys of a table, or the
 * name of a whole table.
 */

/** `HOOK_LIMITS.pathChars` of a list of tables with their keys; of a whole table its name alone. */
function limitsIn(list: string): ReadonlySet<string> {
  const tables = list
    .trim()
    .split(/\n(?=  \S)/)
    .map((line) => line.split(':'))
  return new Set(
    tables.flatMap(([table = '', keys = '']) =>
      keys
        .trim()
        .split(/\s+/)
        .map((key) => (table.trim() === 'whole' ? key : `${table.trim()}.${key}`)),
    ),
  )
}

/** Internal limits of the service, which may change without notice. */
export const INNER_LIMITS = limitsIn(`
  whole: MAIL_LIMITS REENCRYPT KEY_CHECK BROADCAST_WORK REPLY_WORK MEASURE BODY_LIMITS NETWORK_SHARES
    FILE_ENGINE KNOWLEDGE_ENGINE STORE_LIMITS MESSAGING_LIMITS PROVIDER_LIMITS INBOUND_LIMITS
    SEND_LIMITS ECHO_LIMITS NAME_LIMITS NODE_WATCH OUTBOUND_SOCKETS SWEEP POLL_LIMITS
    BRIDGE_LIMITS TELEGRAM_LIMITS TEMPLATE_FORM
  PART_LIMITS: leastShare
  DUPLICATE_LIMITS: movedMs
  REPLY_MEDIA: lookMs
  TYPING_LIMITS: answerMs atOnce
  REPLY_OF_ASSISTANT: besideRunMs dayMs messagesOfShortened exchanged doneBefore askedMessages nothingDoneMs
  CHUNK_LIMITS: headingChars
  KNOWLEDGE_SEARCH: words termChars likeWords leastLikeness forms places leastShare
  VOICE_LIMITS: messagesPerPage pages
  SITE_LIMITS: keyBytes
  VISITOR_LIMITS: tokenBytes tokenMs roomBytes uploadedBytesCountedBy
  STREAM_LIMITS: ticketBytes ticketMs heartbeatMs streamMs inAll unreadBytes overlapMs
    messagesAtOnce conversationsAtOnce afterFaultMs
  REMINDER_LIMITS: afterFaultMs
  APPOINTMENT_NOTICE_LIMITS: recipientMs companyMs conversations afterFaultMs
  CALL_LIMITS: inOneStatement templateChars partNameChars
  HOME_LIMITS: channelsShown
  WHOLE_READS: againMs
  SEARCH_LIMITS: newestLookedAt leastLastDigits leastAcross
  CONTACT_JOBS: jobsAtOnce afterFaultMs
  IMPORT_LIMITS: partBytes rowBytes checkPage sheetMs sheetMemoryMb sampleRows
  DELIVERY_ENGINE: inFlight handedOver handedOverBytes inFlightHandedOver begunInARow endpointKnownMs handedOverWaitMs
    firstClaim claimEveryMs endpointsPerClaim endpointsPerClaimLeast leaseMs settleBatch
    secretsRemembered settlesAtOnce unsettled settleAgainMs settleAgainTimes readyBatch
    cancelledAtOnce lateChangesMs
  HEALTH_GRAPH: countMost
  LOG_LIMITS: scannedRows scannedEvents exportPage statusLeast statusMost
  RESEND_JOB: stepMs scannedRows countedMost countScannedRows progressCountedMost jobsAtOnce
    afterFaultMs
  LIVE_LIMITS: pollEveryMs readyAfterMs changesPerPoll unreadBytes positionChars
  DASHBOARD_LIMITS: placeChars auditWordChars
  FILE_LIMITS: uploadRequestMs uploadMs
  FLOW_LIMITS: dayChars keywordFoldedChars
  RUN_LIMITS: leaseMs atOnce handedOverPerAccount companiesPerClaim wokenLookedAt claimEveryMs inBatch
    batchesAtOnce batchLockMs lockMs lateMs repliesInTurn faultDelaysMs callsAtOnce
    callsAtOncePerAccount placeWaitMs unknownSendMs endedAtOnce deletedFlowsAtOnce
    sendRetryDelaysMs
  INBOX_LIMITS: visitorHints visitorTexts visitorTextChars
  CLOSE_JOB: afterFaultMs jobsAtOnce
  ACTION_LIMITS: saidMessages
  MODEL_LIMITS: baseUrlChars bytesAToken callsOfAnswer imageTokens connectMs sockets carriedBytes
    socketLifeMs refusalBytes testTokens tokensPerDayMost
  BURST_LIMITS: minuteMs minutesMs
  CHANNEL_LIMITS: templatesSpreadMs templatesAtOnce templatesLeaseMs known
  PAGE_LIMITS: roomBytes
  RETENTION: deliveryHourMs minuteCountMs
  SIGN_IN_LIMITS: hashesAtOnce hashesWaiting failuresPerSession failuresPerDevice deviceMs
    devicesPerPerson peoplePerEmail sessionSeenEveryMs codeDriftSteps codeSecretBytes codeChars
    recoveryCodeBytes tokenBytes tokenChars userAgentChars
  TOOL_LIMITS: timesKeptMs appointmentsListed nameChars phoneChars
`)

/** Limits on other pages: Plans, Retries, Retention, Last request. */
export const TOLD_ELSEWHERE = limitsIn(`
  whole: PLAN_LIMITS
  DELIVERY_LIMITS: retryDelaysMs
  TEMPLATE_LIMITS: recordKeptMs
  HOOK_LIMITS: shapeListItems shapeStringChars shapeKeptMs
  RETENTION: deliveryLogMs waitingEventMs runMs callLogMs closeJobMs recipientMs auditMs
    identityChangeMs noticeMs contactImportMs reminderMs appointmentLinkMs
`)
