// The refusals sentences in Spanish; en/refusals.ts says what each is for.
import type { refusals as english } from '../en/refusals.ts';

export const refusals: Record<keyof typeof english, string> = {
  'not-connected': 'Primero conecta tu billetera. Se tarda un minuto.',
  'not-understood': 'Perdona, no lo entendí. Prueba con {$tip} o {$help}.',

  'refusal-sender_receive_only': 'Puedes recibir, pero todavía no enviar. Primero pon un límite de gasto.',
  'refusal-sender_disconnected':
    'Esta cuenta ya no puede enviar, así que no se te cobró nada. Vuelve a conectarla para enviar.',
  'refusal-sender_no_wallet': 'Todavía no tienes billetera para esta red.',
  'refusal-sender_not_on_chain':
    'Tu billetera inteligente solo está configurada en {$where}, así que no puedo enviar en {$chain}.',
  'refusal-sender_paused': 'Tus gastos están en pausa. Solo tu billetera puede reactivarlos.',
  'refusal-expired': 'Tardó demasiado, así que no se envió ni se te cobró nada. Escríbelo otra vez.',
  'refusal-price_stale':
    'Ahora mismo no tengo un precio reciente para eso. Prueba con USDC o inténtalo en unos minutos.',
  'refusal-router_paused': 'Los pagos están en pausa ahora mismo. Inténtalo más tarde.',
  'refusal-plan_failed': 'Perdona, no puedo enviar eso. No se te cobró nada.',
  'refusal-recipient_unknown': 'Aún no conozco a {$label}. Para enviarle dinero, {$reply}.',
  'recipient-unknown-hold': 'Aún no conozco a {$label}. Para enviarle dinero, {$reply}, o guárdaselo.',
  'refusal-recipient_bot': '{$label} es un bot. A los bots no se les puede dar nada.',
  'refusal-handle_not_found': 'No existe {$label}. Revisa cómo se escribe.',
  'refusal-recipient_no_wallet': '{$label} todavía no tiene billetera para esta red.',
  'refusal-recipient_unopened':
    '{$label} aún no tiene cuenta para esto en {$chain}, y este mes ya abrí por ti todas las que puedo. Puede abrirla recibiendo antes otra cosa.',
  'refusal-recipient_unopened_small':
    '{$label} aún no tiene cuenta para esto en {$chain}. A partir de {$least} puedo guardarlo hasta que lo reclame.',
  'refusal-recipient_not_on_chain': '{$label} puede cobrar en {$where}, pero no en {$chain}.',
  'refusal-recipient_contract':
    '{$label} es un contrato inteligente que no puede reenviar dinero. Revisa la dirección.',
  'refusal-recipient_twice': 'Nombraste a {$label} dos veces. Se le paga una.',
  'refusal-recipient_self': '{$label} eres tú. No puedes darte nada a ti.',
  'refusal-chain_not_served': '{$chain} no está disponible aquí. Puedo enviar en {$chains}.',
  'refusal-asset_not_on_chain': '{$asset} no está disponible en {$chain}. No pongas la red, o envía USDC.',
  'refusal-asset_not_served': '{$asset} no está disponible aquí. Puedo enviar {$assets}.',
  'refusal-address_other_family': '{$label} es de otro tipo de red. Puedo enviar a direcciones de {$chains}.',
  'refusal-amount_too_small': 'El mínimo es {$least}.',
  'refusal-tab_too_small': '{$label} aún no está conectado. Para alguien nuevo, el mínimo es {$least}.',
  'refusal-command_cap': 'Tu límite por comando es {$cap}. Esto son {$total} con la comisión.',
  'refusal-server_cap': 'El límite por comando en este servidor es {$cap}. Esto son {$total} con la comisión.',
  'refusal-day_cap': 'Hoy te quedan {$left} de {$cap}. Esto son {$total} con la comisión.',
  'refusal-balance_low': 'Tu saldo en {$chain} es {$have}. Necesitas {$need} con la comisión.',
  'refusal-allowance_low': 'Tu billetera me deja enviar {$have} más en {$chain}. Necesitas {$need} con la comisión.',
  'refusal-limit_per_tip': 'Tu límite por pago en {$chain} es {$limit}. Necesitas {$need} con la comisión.',
  'refusal-limit_per_day': 'Hoy te quedan {$limit} en {$chain}. Necesitas {$need} con la comisión.',
  'refusal-limit_fee': 'La comisión es {$need}. Tu límite para una comisión en {$chain} es {$limit}.',
  'refusal-bridge_away':
    'Tu dinero está en {$from} y el puente a {$chain} no responde. No se te ha cobrado. Inténtalo en unos minutos.',
  'refusal-bridge_fee':
    'Tu dinero está en {$from} y el puente a {$chain} es demasiado caro ahora mismo. No se te ha cobrado. Inténtalo más tarde.',
  'refusal-not_bridged':
    'Tu dinero está en {$from} y desde ahí las propinas no llegan a {$chain}. No se te ha cobrado. Envía en {$from} o añade dinero en {$chain}.',
  'refusal-token_refused': 'La moneda en {$chain} rechazó este pago («{$text}»). No se te cobró nada.',
  'refusal-chain_refused': '{$chain} rechazó este pago ({$reason}). No se te cobró nada. Revisa tus límites.',

  'error-rate_limited': 'Fue tu quinto pago de esta hora. Podrás hacer otro {$when}.',
  'error-links_limited': 'Has pedido muchos enlaces. Podrás pedir otro {$when}.',
  'in-minutes': `{$minutes ->
    [one] en un minuto
   *[other] en {$minutes} minutos
  }`,
  'in-hours': `{$hours ->
    [one] en una hora
   *[other] en {$hours} horas
  }`,
  'error-server_off': 'En este servidor los pagos están desactivados. En nuestro chat privado funcionan.',
  'error-server_channel': 'En este servidor se paga en {$where}.',
  'error-too_old':
    'Tu mensaje me llegó con más de 10 minutos de retraso, así que no hice nada. Escríbelo otra vez si aún lo quieres.',
  'error-amount_missing': '¿Cuánto? Prueba con {$tip}.',
  'error-amount_invalid': 'No pude leer la cantidad. Prueba con {$tip}.',
  'error-amount_invalid-word': 'No pude leer «{$word}» como cantidad. Prueba con {$tip}.',
  'error-amount_ambiguous':
    'No me quedó clara la cantidad. Escribe 1000 para mil, 1,0 para uno, y «por» antes de una nota.',
  'error-amount_ambiguous-word':
    'No me quedó claro «{$word}». Escribe 1000 para mil, 1,0 para uno, y «por» antes de una nota.',
  'error-amount_zero': 'El mínimo es {$least}.',
  'error-amount_too_small': 'El mínimo es {$least}.',
  'error-amount_too_large': 'Es más de lo que puedo enviar.',
  'error-too_many_decimals': 'Son demasiados decimales. USDC tiene seis.',
  'error-recipient_missing': '¿Para quién es? Prueba con {$tip}, o {$reply}.',
  'error-recipient_missing-x': '¿Para quién es? Prueba con {$tip}.',
  'error-recipient_invalid': 'No supe para quién es. Prueba con {$tip}.',
  'error-recipient_invalid-word': 'No supe quién es «{$word}». Prueba con {$tip}.',
  'error-recipient_pronoun': 'En una respuesta basta con «tip 5». No hace falta el nombre.',
  'error-recipient_self': 'No puedes darte nada a ti.',
  'error-recipient_bot': 'A los bots no se les puede dar nada.',
  'error-recipient_channel': 'Eso se publicó como canal, así que no sé de quién es. Nombra a la persona: {$tip}.',
  'error-too_many_recipients': 'Son demasiadas personas. Un comando llega a {$most} como máximo, y «send» a una.',
  'error-mass_mention': 'No puedo dar a todo el mundo a la vez. Nombra a cada persona.',
  'error-role_recipient': 'A un rol no se le puede dar nada. Nombra a cada persona.',
  'error-multiple_commands': 'Un comando por mensaje, por favor.',
  'error-split_mismatch': 'Las partes no suman el total.',
  'error-split_too_few': 'Para repartir hacen falta al menos dos personas. Para una, prueba con {$tip}.',
  'error-address_in_tip': 'Para pagar a una dirección, usa {$send}.',
  'error-address_other_family': 'Esa dirección es de otro tipo de red. Puedo enviar a direcciones de {$chains}.',
  'error-address_checksum': 'Hay un error en esa dirección. Cópiala otra vez.',
  'error-ens_unsupported': 'No puedo leer nombres ENS. Usa la dirección: {$send}.',
  'error-ens_unsupported-word': 'No puedo leer nombres ENS como «{$word}». Usa la dirección: {$send}.',
  'error-unsupported_token': 'Eso no lo puedo enviar. Puedo enviar {$assets}.',
  'error-unsupported_token-word': 'No puedo enviar «{$word}». Puedo enviar {$assets}.',
  'error-unsupported_currency': 'Aquí las cantidades son en dólares. Prueba con {$tip}.',
  'error-unsupported_currency-word':
    'No puedo enviar «{$word}». Aquí las cantidades son en dólares. Prueba con {$tip}.',
  'error-unsupported_chain': 'No conozco esa red. Puedo enviar en {$chains}.',
  'error-unsupported_chain-word': 'No conozco la red «{$word}». Puedo enviar en {$chains}.',
  'error-suspicious_unicode': 'Hay caracteres ocultos en ese mensaje. Escríbelo a mano.',
  'error-suspicious_unicode-word': 'Hay caracteres ocultos en «{$word}». Escríbelo a mano.',
  'error-pending_limited':
    'Hasta que te conectes puedo guardar un pago al día. Conéctate ahora, o inténtalo de nuevo {$when}.',

  'page-resume': 'Solo tu billetera puede reactivar tus gastos. Puedes hacerlo {$there}.',
  'page-refund': 'Lo que aún no han cobrado lo puedes recuperar {$there}.',
  'page-settings': 'Tus ajustes están {$there}.',
  'there-button': 'en esta página',
  'there-profile': 'en la página de mi perfil',

  'button-change-limit': 'Cambiar límite',
  'button-top-up': 'Recargar',
  'button-resume': 'Reactivar',
  'button-refund': 'Lo que enviaste',
  'button-page': 'Activar tu página',
  'button-more': 'Cómo funciona',
};
