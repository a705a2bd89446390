/** The numbers of connections to merchants' servers. */

/**
 * Connections of a process to merchants' servers. Many merchants may share one host, such as an automation
 * platform's.
 */
export const OUTBOUND_SOCKETS = {
  deliveries: { maxSocketsPerOrigin: 256, maxSocketsTotal: 512 },
  calls: { maxSocketsPerOrigin: 64, maxSocketsTotal: 256 },
} as const
