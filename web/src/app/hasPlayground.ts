/** The playground belongs to the local stack, so only pages of this machine lead there. */
export const HAS_PLAYGROUND = ['127.0.0.1', 'localhost'].includes(location.hostname);
