/**
 * A server of ours hears nothing of what the shell says of its user's own, which the driver asks for where a setting
 * is missing (PGSSLMODE, PGSSLNEGOTIATION, PGOPTIONS). The option is one that every session has anyway.
 */
export const OF_NO_SHELL = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: '-c jit=off',
} as const
