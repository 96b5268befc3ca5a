"""Test the kind of answer that a question asks for, and the sentences that have it."""

import pytest

from lectern.answers.questions import kind_match
from lectern.answers.text_analysis import content_words
from lectern.search.query.question import parse_answer_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long are records kept?", "duration"),
        ("For how many years are spare parts available?", "duration"),
        ("Entro quanti giorni si può restituire un prodotto?", "duration"),
        ("Con quanto anticipo si prenota un prelievo?", "duration"),
        ("How many characters must a password have?", "number"),
        ("Da quale importo la consegna è gratuita?", "number"),
        ("In quali decenni è stata più attiva?", "date"),
        ("How much may a pallet weigh?", "weight"),
        ("Quanto pesa un bancale?", "weight"),
        ("Quanto durò la guerra?", "duration"),
        ("Quanto sono durati i lavori?", "duration"),
        ("Quanto durerà il contratto?", "duration"),
        ("Quanto duro è il legno?", "number"),
        ("Quanto pesò il primo bancale?", "weight"),
        ("Quanto pesa l'acciaio sul prezzo?", "number"),
        ("Quanto è lungo il ponte?", "length"),
        ("How wide is the door?", "length"),
        ("When does the system warn?", "date"),
        ("Chi approva un viaggio?", "person"),
        ("Quale licenza obbliga anche quando il codice gira in cloud?", "any"),
        ("Che cosa è importante quanto la diagnosi?", "any"),
        ("Wann öffnet die Filiale?", "date"),
        ("Wie lange werden Unterlagen aufbewahrt?", "duration"),
        ("Wie lang ist die Brücke?", "length"),
        ("Wie hoch ist die Gebühr?", "number"),
        ("Wie viele Tage dauert die Lieferung?", "duration"),
        ("Was kostet der Liter Diesel?", "number"),
        ("In welchem Jahr wurde die Bank gegründet?", "date"),
        ("Wer genehmigt eine Reise?", "person"),
        ("Warum wurde die Filiale geschlossen?", "any"),
        ("¿Cuánto tiempo se guardan los registros?", "duration"),
        ("¿Cada cuánto se revisa?", "duration"),
        ("¿Cada cuántos días se revisa?", "duration"),
        ("¿En cuántos países trabaja?", "number"),
        ("¿Cuánto cuesta una copia?", "number"),
        ("¿Cuánto pesa vacía la máquina?", "weight"),
        ("¿Cuánto pesaba la máquina?", "weight"),
        ("Wie viel wog die Maschine?", "weight"),
        ("¿En qué año se fundó el banco?", "date"),
        ("¿Quién aprueba un viaje?", "person"),
        ("¿Dónde está la oficina?", "any"),
    ],
)
def test_first_question_word_decides_the_kind(question: str, kind: str) -> None:
    assert parse_answer_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "sentence", "share"),
    [
        ("How long are they kept?", "They are kept for ten years.", 1.0),
        ("How long are they kept?", "They are kept in 12 folders.", 0.0),
        ("How often is it checked?", "It is checked monthly.", 1.0),
        ("Wie oft wird geprüft?", "Die Prüfung ist jährlich.", 1.0),
        ("¿Cada cuánto se revisa?", "La revisión es mensual.", 1.0),
        ("How long are they kept?", "Annual report 2024", 0.0),
        ("Ogni quanto si controlla?", "Si controlla ogni tre mesi.", 1.0),
        ("When does it warn?", "It warns when more than 40 accounts are opened.", 0.5),
        ("When was it founded?", "It was founded in 1390.", 1.0),
        ("When does it open?", "It may open late.", 0.0),
        ("When does it open?", "It opens on 3 May.", 1.0),
        ("When does it open?", "It opens at nine in the morning.", 1.0),
        ("When does it open?", "Lunedì: 8:40 - 13:10", 1.0),
        ("When must it be told?", "It is told within 24 hours.", 0.5),
        ("How often is it checked?", "It is checked twice\na year.", 1.0),
        ("Quanto spesso si controlla?", "Si controlla tre volte all'anno.", 1.0),
        ("How many minutes does it cost?", "It costs 6.3\ncounter minutes.", 1.0),
        ("Per quanto tempo fu capitale?", "Fu capitale fino al 1796.", 1.0),
        ("How many are there in 2024?", "In 2024 there are some.", 0.0),
        ("Who is the officer?", "3 The officer weighs the risk within 24 hours.", 0.0),
        ("Who is the officer?", "The officer is Giulia Sorrentini.", 1.0),
        ("Who is the officer?", "Approved by the Officer, 18 February 2026", 0.0),
        ("Who is the officer?", "The pay of the Officer was EUR 412 thousand.", 0.0),
        ("Who is the officer?", "Bruno Altavilla Officer 2018 No", 1.0),
        ("Quanto pesa un bancale?", "I bancali non superano 900 chili.", 1.0),
        ("Quanto pesa un bancale?", "I bancali misurano 80 per 120 centimetri.", 0.0),
        ("How heavy is the trimmer?", "Blade 52 cm, tooth gap 20 mm, 2.9kg.", 1.0),
        ("How wide is the door?", "The door is two metres wide.", 1.0),
        ("How wide is the door?", "The door closes within 38 s.", 0.0),
        ("What is it?", "A thing.", 0.5),
        ("Wie lange dauert es?", "Es dauert drei Wochen.", 1.0),
        ("Wie lange dauert es?", "Es kostet 3 Euro.", 0.0),
        ("Wann öffnet sie?", "Sie öffnet am Montag.", 1.0),
        ("¿Cuánto dura?", "Dura dos años.", 1.0),
        ("¿Cuánto dura?", "Cuesta 2 euros.", 0.0),
        ("¿Cuándo abre?", "Abre el 3 de mayo.", 1.0),
        ("How often must passwords be changed?", "They are changed when somebody else knows them.", 0.5),
        ("Ogni quanto si estraggono i fascicoli?", "Ogni venerdì il direttore ne estrae dieci.", 0.5),
        ("How long are passwords valid?", "They are changed when somebody else knows them.", 0.0),
    ],
)
def test_kind_match_of_sentences(question: str, sentence: str, share: float) -> None:
    words = content_words(question)
    assert kind_match(parse_answer_kind(question), sentence, question=question, words=words) == share
