// The refusals sentences in Spanish; en/refusals.ts says what each is for.
import type { refusals as english } from '../en/refusals.ts';

export const refusals: Record<keyof typeof english, string> = {
  'not-connected':
    'Tu cuenta de aquí todavía no está conectada a Ampersat, así que no hay nada que mostrar ni gastar. Mándame /connect en nuestro chat privado{$chat}: solo necesitas una billetera.',
  'not-understood': 'No lo entendí. Prueba con «/tip @name 5», o /help. Nuestro chat privado: @{$bot}.',

  'refusal-sender_receive_only':
    'Tu cuenta de aquí puede recibir, pero aún no gastar: tu billetera no lo ha permitido. No se ha cobrado nada. Elige en la página de abajo cuánto puedo gastar.',
  'refusal-sender_disconnected':
    'Tu cuenta se desconectó, o ahora solo puede recibir, así que eso no se envió. No se ha cobrado nada.',
  'refusal-sender_no_wallet': 'Tu cuenta todavía no tiene billetera para esta red. No se ha cobrado nada.',
  'refusal-sender_not_on_chain':
    'Tu billetera es un contrato que solo se ha identificado en {$where}, así que no gasto nada de su dirección en {$chain}. No se ha cobrado nada. Quita la red, o nombra una de esas.',
  'refusal-sender_paused':
    'Tus gastos están en pausa, así que no se ha cobrado nada. Solo tu billetera puede reanudarlos.',
  'refusal-expired': 'Tardó demasiado, así que no se envió. No se ha cobrado nada; escríbelo otra vez.',
  'refusal-price_stale':
    'Ahora mismo no tengo un precio reciente para eso, y no me lo invento. No se ha cobrado nada; prueba con USDC, o dentro de unos minutos.',
  'refusal-router_paused': 'Los pagos están en pausa por el momento. No se ha cobrado nada; inténtalo más tarde.',
  'refusal-recipient_unknown':
    'Aún no conozco a {$label}: nadie con ese nombre ha escrito donde estoy. No se ha cobrado nada para esa persona. Puedes guardarlo para ese nombre en una página, o responder a uno de sus mensajes con /tip y una cantidad.',
  'refusal-recipient_bot': '{$label} es un bot; a los bots no se les puede dar nada.',
  'refusal-handle_not_found': 'No existe {$label}. Revisa cómo se escribe.',
  'refusal-recipient_no_wallet': '{$label} todavía no tiene billetera para esta red. No se ha cobrado nada por ello.',
  'refusal-recipient_not_on_chain':
    'A {$label} solo se le puede pagar en {$where}, así que no salió nada en {$chain} y no se ha cobrado nada. Quita la red, o nombra esa.',
  'refusal-recipient_contract':
    '{$label} es un contrato del que no vuelve a salir nada, así que no envío nada ahí. Revisa la dirección.',
  'refusal-recipient_twice': 'Ya habías nombrado a {$label}; cuenta una sola vez.',
  'refusal-recipient_self': '{$label} eres tú: no puedes darte nada a ti.',
  'refusal-chain_not_served': '{$chain} no está disponible aquí por ahora. Quita la red, o nombra otra.',
  'refusal-asset_not_on_chain': '{$asset} no existe en {$chain}. Quita la red, o nombra otra.',
  'refusal-amount_too_small': 'Es demasiado poco: lo mínimo son {$least} {$asset}.',
  'refusal-tab_too_small':
    'Es muy poco para alguien nuevo: lo que espera a {$label} debe ser de al menos {$least} USD. No se ha cobrado nada para esa persona.',
  'refusal-command_cap':
    'Son {$total} USD con la comisión; tu tope por comando es {$cap} USD. No se ha cobrado nada. Da menos.',
  'refusal-server_cap':
    'Son {$total} USD con la comisión; los administradores de este servidor permiten {$cap} USD por comando. No se ha cobrado nada. Da menos.',
  'refusal-day_cap':
    'Son {$total} USD con la comisión, y te quedan {$left} USD de tus {$cap} USD por 24 horas. No se ha cobrado nada. Da menos, o más tarde.',
  'refusal-balance_low':
    'Tu saldo en {$chain} es {$have} {$asset}; esto necesita {$need} con la comisión. Recarga o da menos.',
  'refusal-allowance_low':
    'Tu billetera me deja gastar {$have} {$asset} más en {$chain}; esto necesita {$need} con la comisión. Sube el permiso con tu billetera, o da menos.',
  'refusal-limit_per_tip':
    'Tu billetera puso un límite de {$limit} {$asset} por pago en {$chain}; este necesita {$need} con la comisión. Da menos, o sube el límite con tu billetera.',
  'refusal-limit_per_day':
    'De tu límite por 24 horas en {$chain} quedan {$limit} {$asset}; esto necesita {$need} con la comisión. Da menos, o más tarde.',
  'refusal-limit_fee':
    'La comisión de {$need} {$asset} supera los {$limit} que permite tu billetera en {$chain}. No se ha cobrado nada.',
  'refusal-token_refused': 'El token en {$chain} rechazó el pago («{$text}»). No se ha cobrado nada.',
  'refusal-chain_refused':
    'El pago fue rechazado en {$chain} ({$reason}). No se ha cobrado nada. Mira /limits en nuestro chat privado{$chat}.',

  'error-rate_limited': 'Ya usaste tus cinco pagos de esta hora. Puedes hacer otro {$when}.',
  'error-links_limited': 'Fueron muchos enlaces para una hora. Puedes pedir el siguiente {$when}.',
  'in-minutes': `{$minutes ->
    [one] en un minuto
   *[other] en {$minutes} minutos
  }`,
  'in-hours': `{$hours ->
    [one] en una hora
   *[other] en {$hours} horas
  }`,
  'error-server_off':
    'Los administradores de este servidor han desactivado los pagos aquí. No se ha cobrado nada. En nuestro chat privado funciona.',
  'error-server_channel': 'En este servidor solo se paga desde {$where}. No se ha cobrado nada.',
  'error-too_old':
    'Ese mensaje me llegó con más de 10 minutos de retraso, así que no hice nada. Escríbelo otra vez si aún lo quieres.',
  'error-amount_missing': '¿Cuánto? Prueba con «/tip @name 5».',
  'error-amount_invalid': 'No pude leer la cantidad. Usa cifras sencillas, como 5 o 2.50.',
  'error-amount_ambiguous':
    'Puedo leer la cantidad de dos maneras. Escribe «1000» para mil o «1.0» para uno, y pon «for» antes de una nota.',
  'error-amount_zero': 'Cero no mueve nada. Lo mínimo es 0.01.',
  'error-amount_too_small': 'Es demasiado poco: lo mínimo son 0.01 USD.',
  'error-amount_too_large': 'Es más de lo que puedo enviar.',
  'error-too_many_decimals': 'Tiene más decimales que esta moneda. USDC tiene seis.',
  'error-recipient_missing':
    '¿Quién lo recibe? Nombra a alguien, como «/tip @name 5», o responde a su mensaje con «/tip 5».',
  'error-recipient_invalid': 'No supe quién lo recibe. Nombra a la persona con @, o responde a uno de sus mensajes.',
  'error-recipient_self': 'No puedes darte nada a ti.',
  'error-recipient_bot': 'A los bots no se les puede dar nada.',
  'error-too_many_recipients': 'Son demasiadas personas para un comando: 20 como máximo, 10 en X y una con «send».',
  'error-mass_mention': 'No doy a todo el mundo a la vez. Nombra a las personas.',
  'error-role_recipient': 'A un rol no se le puede dar nada. Nombra a las personas.',
  'error-multiple_commands': 'Un comando por mensaje, por favor. No se ha cobrado nada.',
  'error-unsupported_token':
    'No conozco ese token. Puedo enviar USDC y las monedas propias de las redes: ETH, BNB, CELO.',
  'error-unsupported_currency': 'Solo cuento en dólares. Escribe la cantidad en USD o USDC.',
  'error-unsupported_chain': 'No conozco esa red. Conozco Base, BSC, Ink, Celo y Solana.',
  'error-address_checksum': 'Hay un error al escribir esa dirección. Cópiala otra vez.',
  'error-split_mismatch': 'Las partes no suman el total. No se ha cobrado nada.',
  'error-suspicious_unicode': 'Hay caracteres ocultos en ese mensaje. Escríbelo a mano.',
  'error-pending_limited':
    'Para quien aún no está conectado guardo un envío al día. Conéctate aquí con /connect o inténtalo de nuevo {$when}. No se ha cobrado nada.',
};
