/** Under this name a signing secret is downloaded. */
export const SECRET_ENV = 'WASLA_WEBHOOK_SECRET'
