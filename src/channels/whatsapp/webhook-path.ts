/** Where WhatsApp posts to us, under the service's public origin. */
export const WHATSAPP_WEBHOOK_PATH = '/webhooks/whatsapp'
