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
  whole: MAIL_LIMITS REENCRYPT KEY_CHECK BROADCAST_WORK REPLY_WORK METRICS_LIMITS BODY_LIMITS NETWORK_SHARES
    FILE_ENGINE KNOWLEDGE_ENGINE STORE_LIMITS MESSAGING_LIMITS PROVIDER_LIMITS INBOUND_LIMITS
    SEND_LIMITS ECHO_LIMITS NAME_LIMITS NODE_WATCH OUTBOUND_SOCKETS SWEEP POLL_LIMITS
    BRIDGE_LIMITS TELEGRAM_LIMITS TEMPLATE_FORM
  PART_LIMITS: minShare
  DUPLICATE_LIMITS: movedMs
  REPLY_MEDIA: lookMs
  TYPING_LIMITS: answerMs maxConcurrent
  REPLY_OF_ASSISTANT: duringRunMs dayMs messagesOfShortened exchanged doneBefore questionMessages nothingDoneMs
  CHUNK_LIMITS: headingChars
  KNOWLEDGE_SEARCH: words termChars likeWords minSimilarity forms places minShare
  VOICE_LIMITS: messagesPerPage pages
  SITE_LIMITS: keyBytes
  VISITOR_LIMITS: tokenBytes tokenMs budgetBytes uploadedBytesCountedBy
  STREAM_LIMITS: ticketBytes ticketMs heartbeatMs streamMs inAll unreadBytes overlapMs
    messagesPerRead conversationsPerRead retryMs
  REMINDER_LIMITS: retryMs
  APPOINTMENT_LIMITS: comingPerRead
  APPOINTMENT_NOTICE_LIMITS: recipientMs companyMs conversations retryMs
  CALL_LIMITS: inOneStatement templateChars partNameChars
  WHOLE_READS: againMs
  IDENTITY_LIMITS: joinedByFact ofContact
  SEARCH_LIMITS: newestLookedAt minLastDigits minAcross
  CONTACT_JOBS: jobsPerPass retryMs
  IMPORT_LIMITS: partBytes rowBytes checkPage sheetMs sheetMemoryMb sampleRows
  DELIVERY_ENGINE: inFlight eagerDeliveries eagerBytes inFlightEager begunInARow endpointKnownMs eagerWaitMs
    firstClaim claimEveryMs endpointsPerClaim minEndpointsPerClaim leaseMs outcomesPerBatch
    secretsRemembered maxConcurrentBatches maxUnwrittenOutcomes readyBatch
    cancelledPerBatch lateChangesMs
  HEALTH_GRAPH: maxCount
  LOG_LIMITS: scannedRows scannedEvents exportPage minStatus maxStatus
  RESEND_JOB: stepMs scannedRows maxCounted countScannedRows maxProgressCounted jobsPerPass
    retryMs
  LIVE_LIMITS: pollEveryMs readyAfterMs changesPerPoll unreadBytes positionChars
  DASHBOARD_LIMITS: cursorTimeChars auditWordChars
  FILE_LIMITS: uploadRequestMs uploadMs
  FLOW_LIMITS: dayChars keywordFoldedChars
  RUN_LIMITS: leaseMs maxConcurrent eagerPerAccount companiesPerClaim wokenLookedAt claimEveryMs inBatch
    maxConcurrentBatches batchLockMs lockMs lockedRetryMs repliesPerAdvance retryDelaysMs maxConcurrentCalls
    maxConcurrentCallsPerAccount slotWaitMs unknownSendMs endedPerBatch deletedFlowsPerBatch
    sendRetryDelaysMs
  INBOX_LIMITS: visitorHints visitorTexts visitorTextChars
  CLOSE_JOB: retryMs jobsPerPass
  ACTION_LIMITS: saidMessages
  MODEL_LIMITS: baseUrlChars bytesAToken recordingBytesAToken callsOfAnswer imageTokens connectMs sockets carriedBytes
    socketLifeMs refusalBytes testTokens maxTokensPerDay
  BURST_LIMITS: minuteMs minutesMs
  CHANNEL_LIMITS: templatesSpreadMs maxConcurrentTemplateReads templatesLeaseMs known
  PAGE_LIMITS: budgetBytes
  RETENTION: deliveryHourMs minuteCountMs
  SIGN_IN_LIMITS: maxConcurrentHashes hashesWaiting failuresPerSession failuresPerDevice deviceMs
    devicesPerPerson peoplePerEmail sessionSeenEveryMs codeDriftSteps codeSecretBytes codeChars
    recoveryCodeBytes setUpTokenMs tokenBytes tokenChars userAgentChars
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
