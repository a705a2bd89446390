/** The name of the environment variable in a downloaded signing secret. */
export const SECRET_ENV = 'WASLA_WEBHOOK_SECRET'
