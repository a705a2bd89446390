/**
 * A server of ours hears nothing of what the shell says of its user's own, which the driver asks for where a setting
 * is missing (PGSSLMODE, PGSSLNEGOTIATION, PGOPTIONS). The option is one that every session has anyway.
 */
export const IGNORE_LIBPQ_ENV = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: '-c jit=off',
} as const
