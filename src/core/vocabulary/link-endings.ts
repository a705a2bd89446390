/** Top-level domains, separated by `|`, by which a name without a scheme counts as a link. */
export const LINK_ENDINGS =
  'com|net|org|zip|mov|info|biz|co|io|me|app|dev|ai|shop|store|online|site|website|web|page|link|click|live|club|vip|xyz|top|icu|ly|gl|gg|to|tv|cc|ws|pro|tech|cloud|space|help|example|test|sa|ae|kw|qa|bh|om|eg|jo|lb|sy|iq|ye|ps|ma|dz|tn|sd|tr|ir|pk|in|uk|us|eu|de|fr|es|it|nl|ru|cn|gov|edu|السعوديه|السعودية|امارات|مصر|موقع|شبكة'
