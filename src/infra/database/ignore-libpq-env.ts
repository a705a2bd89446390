/**
 * Settings that keep the driver from reading libpq's environment variables (PGSSLMODE, PGSSLNEGOTIATION, PGOPTIONS)
 * for an internal server. The option is one that every session has anyway.
 */
export const IGNORE_LIBPQ_ENV = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: '-c jit=off',
} as const
